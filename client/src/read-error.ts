import {
  type AccountSyncError,
  type ErrorDetails,
  ForbiddenError,
  NotFoundError,
  RefusedError,
  UnauthenticatedError,
  UnavailableError,
} from './errors.js';
import type { Answer } from './fetch.js';
import { retryAfterMs } from './retry-after.js';
import type { ErrorCode, ErrorsByAttribute } from './wire.js';

/** Temporary failures: the server sends 429, 500 and 503; a proxy sends 502 and 504 while the server is down. */
const TEMPORARY = new Set([429, 500, 502, 503, 504]);

const ADVICE: Readonly<Record<number, string>> = {
  401: 'Check the key, and that it belongs to this host.',
  403: 'Use a key with that scope.',
  404: 'Check the url, and that the server is recent enough to have this operation.',
  405: 'Check the url, and that the server is recent enough to have this operation.',
  413: 'Send less at a time.',
};

/** Converts an error response to an exception. Each API and a proxy have their own form of the body. */
export function readError(response: Answer, text: string, where: string, record: unknown): AccountSyncError {
  const { status, headers } = response;
  const requestId = headers.get('x-request-id') ?? undefined;
  const { messages, errors, code, isProblem } = readEnvelope(text);
  const reason = messages.length > 0 ? messages.join(' ') : 'The response gives no reason.';
  const suffix = requestId === undefined ? '' : ` (request ${requestId})`;
  if (TEMPORARY.has(status)) {
    const details = { status, requestId, code, retryAfterMs: retryAfterMs(headers) };
    return new UnavailableError(`${where} returned ${status}: ${reason}${suffix}`, details);
  }
  const details: ErrorDetails = { status, messages, errors, record, requestId, code };
  if (response.type === 'opaqueredirect' || (status >= 300 && status < 400)) {
    const target = headers.get('location') ?? 'another address';
    return new RefusedError(
      `${where} redirects to ${target}. Set url to the address of that server.`,
      details,
    );
  }
  if (status === 404 && isProblem) {
    return new NotFoundError(`${where} returned 404: ${reason}${suffix}`, details);
  }
  const advice = ADVICE[status] === undefined ? '' : ` ${ADVICE[status]}`;
  const ErrorClass = status === 401 ? UnauthenticatedError : status === 403 ? ForbiddenError : RefusedError;
  return new ErrorClass(`${where} returned ${status}: ${reason}${advice}${suffix}`, details);
}

interface Envelope {
  readonly messages: readonly string[];
  readonly errors: ErrorsByAttribute;
  readonly code: ErrorCode | undefined;
  readonly isProblem: boolean;
}

function readEnvelope(text: string): Envelope {
  const body = readObject(text);
  if (body === undefined) return { messages: [], errors: {}, code: undefined, isProblem: false };
  if (typeof body.type === 'string') return readProblem(body);
  const messages = Array.isArray(body.errors)
    ? body.errors.flat()
    : body.error === undefined
      ? []
      : [body.error];
  const [errors = {}] = Array.isArray(body.errors_by_attributes) ? body.errors_by_attributes : [];
  return { messages: messages.map(String), errors, code: undefined, isProblem: false };
}

function readProblem({ title, detail, code, errors: listed }: Record<string, unknown>): Envelope {
  const errors: Record<string, string[]> = {};
  for (const error of Array.isArray(listed) ? listed : []) {
    const pointer = String(error.pointer);
    errors[pointer] = [...(errors[pointer] ?? []), String(error.detail)];
  }
  const details = Object.entries(errors).flatMap(([pointer, sentences]) =>
    sentences.map((sentence) => `${pointer}: ${sentence}`),
  );
  const first = detail ?? title;
  return {
    messages: [...(first === undefined ? [] : [String(first)]), ...details],
    errors,
    // Servers before 0.8 send no code.
    code: typeof code === 'string' ? (code as ErrorCode) : undefined,
    isProblem: true,
  };
}

/** `undefined` for any other body: a proxy may send HTML. */
function readObject(text: string): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
