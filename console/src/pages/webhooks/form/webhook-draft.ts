import type { Attribute, EventType, Webhook, WebhookSettings } from '@account-sync/client';
import type { WebhookChanges } from '../../../api/webhooks';
import { EVENT_TYPES } from '../event-types';
import { type FilterValue, filterValueText, readFilterValue } from './filter-value';

/** A field of accounts and the wanted values, as they are entered. */
export interface ValueCondition {
  /** Identifies it while its field is edited. */
  readonly key: number;
  readonly field: string;
  readonly values: readonly string[];
}

/** Unsaved settings of a webhook. */
export interface WebhookDraft {
  readonly url: string;
  readonly description: string;
  readonly events: readonly EventType[];
  readonly sources: readonly string[];
  readonly fields: readonly string[];
  readonly conditions: readonly ValueCondition[];
  /** May be empty. */
  readonly batchSize: number | string;
}

const DEFAULT_BATCH_SIZE = 100;

export const NEW_WEBHOOK: WebhookDraft = {
  url: '',
  description: '',
  events: EVENT_TYPES,
  sources: [],
  fields: [],
  conditions: [],
  batchSize: DEFAULT_BATCH_SIZE,
};

export function draftOf({ url, description, events, filter, batch_size: batchSize }: Webhook): WebhookDraft {
  const { sources, fields, values } = filter;
  const conditions = Object.entries(values).map(([field, wanted], key) => ({
    key,
    field,
    values: wanted.map(filterValueText),
  }));
  return { url, description, events, sources, fields, conditions, batchSize };
}

/** Whether an optional setting differs from its default. */
export function hasOptions({ sources, fields, conditions, batchSize }: WebhookDraft): boolean {
  return [sources, fields, conditions].some(({ length }) => length > 0) || batchSize !== DEFAULT_BATCH_SIZE;
}

/** The draft as a request body. Types of declared attributes decide how values are read. */
export function settingsOf(
  draft: WebhookDraft,
  typeOf: (field: string) => Attribute['type'] | undefined,
): WebhookSettings {
  const { url, description, events, sources, fields, conditions, batchSize } = draft;
  const values: Record<string, readonly FilterValue[]> = {};
  for (const condition of conditions) {
    const field = condition.field.trim();
    if (field === '' && condition.values.length === 0) continue;
    const wanted = condition.values.map((text) => readFilterValue(text, typeOf(field)));
    values[field] = [...(values[field] ?? []), ...wanted];
  }
  return {
    url: url.trim(),
    description: description.trim(),
    events,
    filter: { sources, fields, values },
    batch_size: Number(batchSize),
  };
}

/**
 * Only what differs from the stored settings: a message that is repeated keeps its id only if events, filter and batch
 * size are not sent.
 */
export function changesOf(settings: WebhookSettings, webhook: Webhook): WebhookChanges {
  const isChanged = ([name, value]: [string, unknown]) =>
    JSON.stringify(value) !== JSON.stringify(webhook[name as keyof WebhookSettings]);
  return Object.fromEntries(Object.entries(settings).filter(isChanged));
}
