import { problem } from '../../http/v2-server.js';
import type { Call, Key, Scope, TenantModel } from './tenant-model.js';

/** The part of a response that the model predicts; `headers` has only the headers that the model knows. */
export interface ModelResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export const response = (status: number, body?: unknown, headers = {}): ModelResponse => ({
  status,
  headers,
  body,
});

/** An error response of the contract that is not about attributes. */
export const envelope = (status: number, message: string): ModelResponse =>
  response(status, { success: false, errors: [message], errors_by_attributes: [] });

/** An error response of `/api/v2`. */
export const problemResponse = (
  status: number,
  code: string,
  detail: string,
  { requestId }: Call,
): ModelResponse => response(status, { ...problem(status, code, detail), request_id: requestId });

export const notFound = (what: string, call: Call): ModelResponse =>
  problemResponse(404, 'not_found', `There is no ${what}.`, call);

/** The response to an invalid request: only the pointers are compared. */
export const invalid = (...pointers: string[]): ModelResponse => response(400, { pointers });

const NO_KEY = { success: false, error: 'Unauthenticated.', status: 403 };
const BEARER = { 'www-authenticate': 'Bearer' };

/** The error response for the key; `undefined` if the key is authorized. */
export function keyError(
  { keys }: TenantModel,
  scope: Scope,
  call: Call,
  isContract: boolean,
): ModelResponse | undefined {
  if (!keys.some((key) => key.id === call.key.id && isLive(key, call.at))) {
    const { body } = problemResponse(
      401,
      'unauthenticated',
      'Send a key that is live: Authorization: Bearer <key>.',
      call,
    );
    return response(401, isContract ? NO_KEY : body, BEARER);
  }
  if (call.key.scopes.includes(scope)) return undefined;
  const message = `This key lacks the scope ${scope}.`;
  return isContract ? envelope(403, message) : problemResponse(403, 'scope_missing', message, call);
}

export function isLive({ revoked_at, expires_at }: Key, now: number): boolean {
  return revoked_at === null && (expires_at === null || expires_at > now);
}
