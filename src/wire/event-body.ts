import type { EventType } from '../domain/webhook.js';
import type { FeedSet } from '../store/changes/change-feed.js';
import type { ChangeKind, StoredChange } from '../store/schema/change-set.js';
import type { Position } from '../store/schema/position.js';
import { changedFields, writePosition } from './change-body.js';
import { isoTime } from './schemas.js';
import { senderBody } from './sender-body.js';

/** An archived account that is sent again is restored: it has changed. */
export const EVENT_OF_KIND: Readonly<Record<ChangeKind, EventType>> = {
  created: 'account.created',
  updated: 'account.updated',
  restored: 'account.updated',
  archived: 'account.archived',
  deleted: 'account.deleted',
};

const TAIL = Buffer.from(']}');

/** One event of a message to a webhook. */
export function eventBody(type: string, at: number, position: Position | null, data: object) {
  const cursor = position === null ? null : writePosition(position);
  return { type, timestamp: isoTime(at), cursor, data };
}

/**
 * Writes the JSON of `eventBody` for the changes of a set, with `feedBody` as data. Every change of an account is sent
 * to webhooks: what those of a set have in common is written once.
 */
export function accountEventWriter(set: FeedSet): (change: StoredChange) => string {
  const { commitOrder, requestId, source, runId } = set;
  const time = JSON.stringify(isoTime(set.at));
  const sender = JSON.stringify({
    request_id: requestId,
    ...senderBody(set),
    source,
    run_id: runId === null ? null : String(runId),
  }).slice(1, -1);
  return ({ seq, accountId, revision, kind, isErased, changes }) => {
    const event = `"type":"${EVENT_OF_KIND[kind]}","timestamp":${time}`;
    const cursor = `"cursor":"${writePosition({ commitOrder, seq })}"`;
    const account = `"account_id":${JSON.stringify(accountId)},"revision":${revision},"kind":"${kind}"`;
    const fields = `"is_erased":${isErased},"changes":${JSON.stringify(changedFields(changes))}`;
    return `{${event},${cursor},"data":{${account},"at":${time},${sender},${fields}}}`;
  };
}

/** The body of a message, from the JSON of its events. `timestamp` is that of the last event, in every attempt. */
export function messageBody(events: readonly Buffer[], at: number): Buffer {
  const head = Buffer.from(`{"type":"events","timestamp":"${isoTime(at)}","data":[`);
  return Buffer.concat([head, ...events, TAIL]);
}
