import type { ErrorCode, ErrorsByAttribute, ImportSummary } from './wire.js';

/** The base class of every error of this package. An aborted call throws the reason of its signal instead. */
export class AccountSyncError extends Error {
  override readonly name: string = 'AccountSyncError';
  /** Identifies the request in the log of the server. */
  readonly requestId: string | undefined;
  /** The error code in the response. Responses of `/api/v1_1` and of proxies have none. */
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

export interface ErrorDetails {
  readonly status: number;
  readonly messages: readonly string[];
  readonly errors: ErrorsByAttribute;
  readonly record: unknown;
  readonly requestId: string | undefined;
  readonly code: ErrorCode | undefined;
}

/** The server rejected the request. It rejects the same request again, so the client does not repeat it. */
export class RefusedError extends AccountSyncError {
  override readonly name: string = 'RefusedError';
  readonly status: number;
  /** The messages of the response, one sentence each. */
  readonly messages: readonly string[];
  /** The messages by attribute, or by part of the request (`/query/limit`) if they are not about a record. */
  readonly errors: ErrorsByAttribute;
  /** The record of the request, if it had exactly one. */
  readonly record: unknown;

  constructor(message: string, details: ErrorDetails) {
    super(message, details);
    this.status = details.status;
    this.messages = details.messages;
    this.errors = details.errors;
    this.record = details.record;
  }
}

/** 401: the key is unknown, expired or revoked, or the host belongs to another tenant. */
export class UnauthenticatedError extends RefusedError {
  override readonly name = 'UnauthenticatedError';
}

/** 403: the key lacks the scope that the operation needs. */
export class ForbiddenError extends RefusedError {
  override readonly name = 'ForbiddenError';
}

/** 404: the account does not exist. An unknown path is a plain `RefusedError`. */
export class NotFoundError extends RefusedError {
  override readonly name = 'NotFoundError';
}

export interface UnavailableDetails {
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  readonly code?: ErrorCode | undefined;
  readonly attempts?: number;
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
}

/** No response, or a temporary failure. The server may or may not have stored the data; repeating is safe. */
export class UnavailableError extends AccountSyncError {
  override readonly name = 'UnavailableError';
  readonly status: number | undefined;
  readonly attempts: number;
  /** The wait that the server asks for in `Retry-After`. */
  readonly retryAfterMs: number | undefined;

  constructor(
    message: string,
    { status, requestId, code, attempts = 1, retryAfterMs, cause }: UnavailableDetails = {},
  ) {
    super(message, { requestId, code, cause });
    this.status = status;
    this.attempts = attempts;
    this.retryAfterMs = retryAfterMs;
  }
}

/** The server ended an import early. The results that it sent before remain valid. */
export class IncompleteImportError extends AccountSyncError {
  override readonly name = 'IncompleteImportError';

  constructor(readonly summary: ImportSummary) {
    super(
      `The import ended after ${summary.records} records: ${summary.problem ?? 'no reason was given.'} ` +
        'Fix the cause and send the import again: records that are already stored count as unchanged.',
    );
  }
}

/** A response in a form that account-sync does not send. */
export class UnexpectedAnswerError extends AccountSyncError {
  override readonly name = 'UnexpectedAnswerError';
}
