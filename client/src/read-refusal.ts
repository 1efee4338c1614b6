import type { Answer } from './connection.js';
import {
  type AccountSyncError,
  ForbiddenError,
  NotFoundError,
  type Refused,
  RefusedError,
  UnauthenticatedError,
  UnavailableError,
} from './errors.js';
import { retryAfterMs } from './retry-after.js';
import type { ErrorCode, ErrorsByAttribute } from './wire.js';

/** Beside what the server itself asks to repeat, what a proxy says while no server answers. */
const PASSING = new Set([429, 500, 502, 503, 504]);

const ADVICE: Readonly<Record<number, string>> = {
  401: 'Check the key, and that it belongs to this host.',
  403: 'Use a key with that scope.',
  404: 'Check the url, and that the server is recent enough to have this operation.',
  405: 'Check the url, and that the server is recent enough to have this operation.',
  413: 'Send less at a time.',
};

/** The error for an answer that is no success, whichever of the envelopes it has. */
export function readRefusal(
  response: Answer,
  text: string,
  where: string,
  record: unknown,
): AccountSyncError {
  const { status, headers } = response;
  const requestId = headers.get('x-request-id') ?? undefined;
  const { messages, errors, code, isProblem } = readEnvelope(text);
  const said = messages.length > 0 ? messages.join(' ') : 'The answer gives no reason.';
  const tail = requestId === undefined ? '' : ` (request ${requestId})`;
  if (PASSING.has(status)) {
    const unavailable = { status, requestId, code, retryAfterMs: retryAfterMs(headers) };
    return new UnavailableError(`${where} answered ${status}: ${said}${tail}`, unavailable);
  }
  const refused: Refused = { status, messages, errors, record, requestId, code };
  if (response.type === 'opaqueredirect' || (status >= 300 && status < 400)) {
    const target = headers.get('location') ?? 'another address';
    return new RefusedError(`${where} redirects to ${target}. Give the address behind it as url.`, refused);
  }
  if (status === 404 && isProblem) return new NotFoundError(`${where} answered 404: ${said}${tail}`, refused);
  const advice = ADVICE[status] === undefined ? '' : ` ${ADVICE[status]}`;
  const Kind = status === 401 ? UnauthenticatedError : status === 403 ? ForbiddenError : RefusedError;
  return new Kind(`${where} answered ${status}: ${said}${advice}${tail}`, refused);
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
    const at = String(error.pointer);
    errors[at] = [...(errors[at] ?? []), String(error.detail)];
  }
  const details = Object.entries(errors).flatMap(([at, said]) =>
    said.map((sentence) => `${at}: ${sentence}`),
  );
  const first = detail ?? title;
  return {
    messages: [...(first === undefined ? [] : [String(first)]), ...details],
    errors,
    // Servers before 0.8 give none.
    code: typeof code === 'string' ? (code as ErrorCode) : undefined,
    isProblem: true,
  };
}

/** A proxy may answer in HTML. */
function readObject(text: string): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
