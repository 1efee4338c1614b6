import { problem } from '../../http/v2-server.js';
import type { Call, Key, Scope, TenantModel } from './tenant-model.js';

/** What a caller gets to see: `headers` are those that mean something to it. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export const answer = (status: number, body?: unknown, headers = {}): Answer => ({ status, headers, body });

/** Of the contract, where it is not about attributes. */
export const envelope = (status: number, message: string): Answer =>
  answer(status, { success: false, errors: [message], errors_by_attributes: [] });

/** Of `/api/v2`. */
export const refusal = (status: number, code: string, detail: string, { requestId }: Call): Answer =>
  answer(status, { ...problem(status, code, detail), request_id: requestId });

export const notFound = (what: string, call: Call): Answer =>
  refusal(404, 'not_found', `There is no ${what}.`, call);

/** Of a request that is not valid: what it points at. */
export const invalid = (...pointers: string[]): Answer => answer(400, { pointers });

const NO_KEY = { success: false, error: 'Unauthenticated.', status: 403 };
const BEARER = { 'www-authenticate': 'Bearer' };

/** Undefined where the key is let in. */
export function keyRefusal(
  { keys }: TenantModel,
  scope: Scope,
  call: Call,
  isContract: boolean,
): Answer | undefined {
  if (!keys.some((key) => key.id === call.key.id && isLive(key, call.at))) {
    const { body } = refusal(
      401,
      'unauthenticated',
      'Send a key that is live: Authorization: Bearer <key>.',
      call,
    );
    return answer(401, isContract ? NO_KEY : body, BEARER);
  }
  if (call.key.scopes.includes(scope)) return undefined;
  const message = `This key lacks the scope ${scope}.`;
  return isContract ? envelope(403, message) : refusal(403, 'scope_missing', message, call);
}

export function isLive({ revoked_at, expires_at }: Key, now: number): boolean {
  return revoked_at === null && (expires_at === null || expires_at > now);
}
