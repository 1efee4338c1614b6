import Type, { type Static } from 'typebox';
import type { FieldChanges } from '../domain/account.js';
import type { AccountChange } from '../store/changes/account-history.js';
import type { FeedEntry } from '../store/changes/change-feed.js';
import { CHANGE_KINDS } from '../store/schema/change-set.js';
import type { Position } from '../store/schema/position.js';
import { isoTime, Json, nullable, Timestamp } from './schemas.js';
import { BY_KEY, SENDER_PROPERTIES, senderBody } from './sender-body.js';

/** An example of a change. */
export const CHANGE = {
  revision: 2,
  kind: 'updated',
  at: '2027-02-01T09:30:00.250Z',
  request_id: 'job-7:1',
  ...BY_KEY,
  source: 'crm',
  run_id: '12',
  is_erased: false,
  changes: [{ field: 'licenses', from: 20, to: 25 }],
};

export const ChangeSchema = Type.Object(
  {
    revision: Type.Integer({ minimum: 1 }),
    kind: Type.Enum([...CHANGE_KINDS], {
      description: '`restored`: an archived account was sent again, or taken out of the archive by an undo.',
    }),
    at: Timestamp,
    request_id: Type.String(),
    ...SENDER_PROPERTIES,
    source: nullable(Type.String({ description: 'Null if it is not known any more.' })),
    run_id: nullable(Type.String({ description: 'Null if the request belongs to no run.' })),
    is_erased: Type.Boolean({ description: 'Whether the account was deleted, and these values with it.' }),
    changes: Type.Array(
      Type.Object({
        field: Type.String(),
        from: Json,
        to: Json,
      }),
    ),
  },
  { title: 'Change', examples: [CHANGE] },
);

export function changeBody(change: AccountChange): Static<typeof ChangeSchema> {
  return {
    revision: change.revision,
    kind: change.kind,
    at: isoTime(change.at),
    request_id: change.requestId,
    ...senderBody(change),
    source: change.source,
    run_id: change.runId === null ? null : String(change.runId),
    is_erased: change.isErased,
    changes: changedFields(change.changes),
  };
}

export function changedFields(changes: FieldChanges): Static<typeof ChangeSchema>['changes'] {
  return Object.entries(changes).map(([field, [from, to]]) => ({ field, from, to }));
}

export function feedBody({ position, accountId, ...change }: FeedEntry) {
  return { cursor: writePosition(position), account_id: accountId, ...changeBody(change) };
}

/** The cursor of a position in the change feed. */
export function writePosition({ commitOrder, seq }: Position): string {
  return `${commitOrder}~${seq}`;
}

/** Undefined if the text is no cursor of the feed. */
export function readPosition(text: string): Position | undefined {
  const [, commitOrder, seq] = (/^(\d{1,16})~(\d{1,16})$/.exec(text) ?? []).map(Number);
  return Number.isSafeInteger(commitOrder) && Number.isSafeInteger(seq)
    ? ({ commitOrder, seq } as Position)
    : undefined;
}
