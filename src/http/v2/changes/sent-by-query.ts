import Type, { type Static } from 'typebox';
import type { SentBy } from '../../../store/changes/sent-by.js';
import { invalidRequest } from '../../errors.js';
import { RUN_ID } from '../../runs/run-id.js';

/** Query parameters that select changes and rejections by what sent them. */
export const SentByQuery = Type.Object({
  run_id: Type.Optional(
    Type.String({ pattern: RUN_ID.source, description: 'Only those of this run.', examples: ['12'] }),
  ),
  source: Type.Optional(
    Type.String({ minLength: 1, description: 'Only those of this source.', examples: ['crm'] }),
  ),
  key_id: Type.Optional(
    Type.String({ minLength: 1, description: 'Only requests with this key.', examples: ['k3f9a2b7'] }),
  ),
  user_id: Type.Optional(
    Type.String({ minLength: 1, description: 'Only requests of this user.', examples: ['usr_3f9a2b7c'] }),
  ),
  request_id: Type.Optional(
    Type.String({ minLength: 1, description: 'Only this request.', examples: ['job-7:1'] }),
  ),
});

type Query = Static<typeof SentByQuery>;

const NAMES = ['run_id', 'source', 'key_id', 'user_id', 'request_id'] as const;

export function readSentBy({ run_id, source, key_id, user_id, request_id }: Query): SentBy {
  const runId = run_id === undefined ? undefined : Number(run_id);
  return { runId, source, keyId: key_id, userId: user_id, requestId: request_id };
}

/** The values, for the hash in a cursor: without a user the same as before there were users. */
export function sentByValues({ run_id, source, key_id, user_id, request_id }: Query): (string | null)[] {
  const values = [run_id, source, key_id, request_id].map((value) => value ?? null);
  return user_id === undefined ? values : [...values, user_id];
}

export function hasSentBy(query: Query): boolean {
  return sentByValues(query).some((value) => value !== null);
}

/** Streams deliver all changes. */
export function rejectSentBy(query: Query): void {
  const names = NAMES.filter((name) => query[name]);
  const detail = 'cannot be combined with a stream or with last';
  if (names.length > 0) throw invalidRequest(names.map((name) => ({ pointer: `/query/${name}`, detail })));
}
