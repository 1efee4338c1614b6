import type { ErrorCode, ErrorsByAttribute, ImportSummary } from './wire.js';

/** Everything that this package throws by itself; an aborted call throws the reason of its signal. */
export class AccountSyncError extends Error {
  override readonly name: string = 'AccountSyncError';
  /** Names the request in the server's log. */
  readonly requestId: string | undefined;
  /** Which error the server answered with. The operations of the contract give none, nor do proxies. */
  readonly code: ErrorCode | undefined;

  constructor(
    message: string,
    {
      requestId,
      code,
      cause,
    }: { requestId?: string | undefined; code?: ErrorCode | undefined; cause?: unknown } = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.requestId = requestId;
    this.code = code;
  }
}

export interface Refused {
  readonly status: number;
  readonly messages: readonly string[];
  readonly errors: ErrorsByAttribute;
  readonly record: unknown;
  readonly requestId: string | undefined;
  readonly code: ErrorCode | undefined;
}

/** The server understood and said no: the same request is refused again until something is changed. */
export class RefusedError extends AccountSyncError {
  override readonly name: string = 'RefusedError';
  readonly status: number;
  /** What the server said, a sentence each. */
  readonly messages: readonly string[];
  /** The same by attribute; by place in the request (`/query/limit`) where it is not about a record. */
  readonly errors: ErrorsByAttribute;
  /** What was sent, where it was one record. */
  readonly record: unknown;

  constructor(message: string, refused: Refused) {
    super(message, refused);
    this.status = refused.status;
    this.messages = refused.messages;
    this.errors = refused.errors;
    this.record = refused.record;
  }
}

/** 401: the key is unknown, expired, revoked, or another tenant's than the host. */
export class UnauthenticatedError extends RefusedError {
  override readonly name = 'UnauthenticatedError';
}

/** 403: the key lacks the scope that the operation needs. */
export class ForbiddenError extends RefusedError {
  override readonly name = 'ForbiddenError';
}

/** 404 about an account, not about the path. */
export class NotFoundError extends RefusedError {
  override readonly name = 'NotFoundError';
}

export interface Unavailable {
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  readonly code?: ErrorCode | undefined;
  readonly attempts?: number;
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
}

/** No answer, or one that asks to come back later. Whether something was stored is not known; repeating is safe. */
export class UnavailableError extends AccountSyncError {
  override readonly name = 'UnavailableError';
  readonly status: number | undefined;
  readonly attempts: number;
  /** How long the server asked to wait. */
  readonly retryAfterMs: number | undefined;

  constructor(
    message: string,
    { status, requestId, code, attempts = 1, retryAfterMs, cause }: Unavailable = {},
  ) {
    super(message, { requestId, code, cause });
    this.status = status;
    this.attempts = attempts;
    this.retryAfterMs = retryAfterMs;
  }
}

/** An import that the server ended early; everything up to there was answered, and counts. */
export class IncompleteImportError extends AccountSyncError {
  override readonly name = 'IncompleteImportError';

  constructor(readonly summary: ImportSummary) {
    super(
      `The import ended after ${summary.records} records: ${summary.problem ?? 'no reason was given.'} ` +
        'Send it again once that is mended: what is stored already counts as unchanged.',
    );
  }
}

/** An answer in a form that account-sync does not give. */
export class UnexpectedAnswerError extends AccountSyncError {
  override readonly name = 'UnexpectedAnswerError';
}
