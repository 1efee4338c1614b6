import { expect } from 'vitest';
import type { Definition } from './operation.js';
import { isLive, type ModelResponse, problemResponse, response } from './responses.js';
import { type Call, isoTime, type Key, type Scope, sourceOf, type TenantModel } from './tenant-model.js';

const HOUR_MS = 3_600_000;
const timeOrNull = (at: number | null) => (at === null ? null : isoTime(at));
const stateOf = (key: Key, now: number) =>
  isLive(key, now) ? 'live' : key.revoked_at === null ? 'expired' : 'revoked';

function keyBody(key: Key, now: number) {
  return {
    id: key.id,
    state: stateOf(key, now),
    scopes: key.scopes,
    label: key.label,
    source: sourceOf(key),
    created_at: isoTime(key.created_at),
    // The service records the use shortly after the request.
    last_used_at: expect.toSatisfy((at) => at === null || typeof at === 'string'),
    expires_at: timeOrNull(key.expires_at),
    revoked_at: timeOrNull(key.revoked_at),
  };
}

/** Adds the issued key to the model. Its id and secret are random, so they come from the response. */
function issue(
  model: TenantModel,
  made: Omit<Key, 'id' | 'secret' | 'revoked_at'>,
  { body }: ModelResponse,
): Key {
  const { id = '', key: secret = '' } = body as { id?: string; key?: string };
  const key = { ...made, id, secret, revoked_at: null };
  model.keys.push(key);
  return key;
}

const issuedBody = (key: Key, now: number) => ({
  ...keyBody(key, now),
  last_used_at: null,
  key: expect.stringMatching(new RegExp(`^acs_${key.id}_[0-9A-Za-z]{38}$`)),
});

export interface CreateKey {
  readonly kind: 'create-key';
  readonly scopes: readonly Scope[];
  readonly label: string;
  readonly hours: number | null;
}

export const createKey: Definition<CreateKey> = {
  scope: 'admin',
  send: (client, { scopes, label, hours }, _model, now) => {
    const expires_at = hours === null ? null : isoTime(now + hours * HOUR_MS);
    return client.request('POST', '/api/v2/keys', { scopes, label, expires_at });
  },
  expect: (model, { scopes, label, hours }, { at }, actual) => {
    const expires_at = hours === null ? null : at + hours * HOUR_MS;
    return response(201, issuedBody(issue(model, { scopes, label, created_at: at, expires_at }, actual), at));
  },
};

/** `which` is an index of the keys of the tenant, modulo their number. */
const keyAt = ({ keys }: TenantModel, which: number) => keys[which % keys.length] as Key;

function endedKeyError(key: Key, call: Call): ModelResponse | undefined {
  const state = stateOf(key, call.at);
  return state === 'live'
    ? undefined
    : problemResponse(409, 'key_not_live', `The key ${key.id} is ${state} already.`, call);
}

export interface RotateKey {
  readonly kind: 'rotate-key';
  readonly which: number;
  readonly overlap_hours: number;
}

export const rotateKey: Definition<RotateKey> = {
  scope: 'admin',
  send: (client, { which, overlap_hours }, model) =>
    client.request('POST', `/api/v2/keys/${keyAt(model, which).id}/rotate`, { overlap_hours }),
  expect: (model, { which, overlap_hours }, call, actual) => {
    const old = keyAt(model, which);
    const ended = endedKeyError(old, call);
    if (ended !== undefined) return ended;
    const { scopes, label, expires_at } = old;
    const successor = issue(model, { scopes, label, created_at: call.at, expires_at }, actual);
    old.expires_at = Math.min(call.at + overlap_hours * HOUR_MS, expires_at ?? Number.POSITIVE_INFINITY);
    const replaced = { id: old.id, expires_at: isoTime(old.expires_at) };
    return response(201, { ...issuedBody(successor, call.at), replaced });
  },
};

export interface RevokeKey {
  readonly kind: 'revoke-key';
  readonly which: number;
}

export const revokeKey: Definition<RevokeKey> = {
  scope: 'admin',
  send: (client, { which }, model) => client.request('DELETE', `/api/v2/keys/${keyAt(model, which).id}`),
  expect: (model, { which }, call) => {
    const key = keyAt(model, which);
    const ended = endedKeyError(key, call);
    if (ended !== undefined) return ended;
    const admins = model.keys.filter((one) => one.scopes.includes('admin') && isLive(one, call.at));
    if (admins.length === 1 && admins[0] === key)
      return problemResponse(
        409,
        'last_admin_key',
        `${key.id} is the last key with the scope admin. Make another first.`,
        call,
      );
    key.revoked_at = call.at;
    return response(204);
  },
};

export interface ListKeys {
  readonly kind: 'list-keys';
}

export const listKeys: Definition<ListKeys> = {
  scope: 'admin',
  send: (client) => client.request('GET', '/api/v2/keys'),
  expect: ({ keys }, _operation, { at }) => response(200, { data: keys.map((key) => keyBody(key, at)) }),
};
