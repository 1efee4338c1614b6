import type { Selectable } from 'kysely';
import type { EventType, WebhookFilter, WebhookState } from '../../domain/webhook.js';
import type { Position } from '../schema/position.js';
import type { Tables } from '../schema/tables.js';

export interface WebhookSettings {
  readonly url: string;
  readonly description: string;
  readonly events: readonly EventType[];
  readonly filter: WebhookFilter;
  readonly batchSize: number;
}

export interface Webhook extends WebhookSettings {
  readonly id: string;
  readonly tenantId: number;
  readonly state: WebhookState;
  /** Why the service has paused or disabled it; null if it has not. */
  readonly reason: string | null;
  /** The position up to which events are delivered. */
  readonly position: Position;
  readonly generation: number;
  /** How often its current batch has failed. */
  readonly failures: number;
  readonly failingSince: number | null;
  readonly retryAt: number | null;
  /** What its last attempt failed with; null if it succeeded. */
  readonly lastError: string | null;
  readonly deliveredAt: number | null;
  /** Until when messages are also signed with the previous secret; null if there is none. */
  readonly previousUntil: number | null;
  readonly createdAt: number;
}

/** The secrets that messages are signed with: the current one first. */
export type Secrets = readonly [string, ...string[]];

export type WebhookRow = Selectable<Tables['webhook']>;

export function columnsOf<T extends Partial<WebhookSettings>>({
  url,
  description,
  events,
  filter,
  batchSize,
}: T) {
  return {
    ...(url !== undefined && { url }),
    ...(description !== undefined && { description }),
    ...(events !== undefined && { events: JSON.stringify(events) }),
    ...(filter !== undefined && { filter: JSON.stringify(filter) }),
    ...(batchSize !== undefined && { batch_size: batchSize }),
  } as Pick<WebhookRow, 'url' | 'description' | 'events' | 'filter' | 'batch_size'>;
}

export function secretsOf(
  row: Pick<WebhookRow, 'secret' | 'previous_secret' | 'previous_until'>,
  now: number,
): Secrets {
  const { secret, previous_secret, previous_until } = row;
  const isValid = previous_secret !== null && now < (previous_until ?? 0);
  return isValid ? [secret, previous_secret] : [secret];
}

/** For the audit, without secrets. */
export function described(row: WebhookRow) {
  return {
    url: row.url,
    description: row.description,
    events: JSON.parse(row.events),
    filter: JSON.parse(row.filter),
    batch_size: row.batch_size,
    state: row.state,
    cursor: `${row.turn}~${row.seq}`,
  };
}

export function webhookFromRow(row: WebhookRow): Webhook {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    url: row.url,
    description: row.description,
    events: JSON.parse(row.events),
    filter: JSON.parse(row.filter),
    batchSize: row.batch_size,
    state: row.state as WebhookState,
    reason: row.reason,
    position: { commitOrder: row.turn, seq: row.seq },
    generation: row.generation,
    failures: row.failures,
    failingSince: row.failing_since,
    retryAt: row.retry_at,
    lastError: row.last_error,
    deliveredAt: row.delivered_at,
    previousUntil: row.previous_until,
    createdAt: row.created_at,
  };
}
