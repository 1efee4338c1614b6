export const EVENT_TYPES = [
  'account.created',
  'account.updated',
  'account.archived',
  'account.deleted',
  'run.finished',
  'run.undone',
  'source.late',
  'source.recovered',
  'rejections.burst',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/**
 * `active`: it gets events. `paused`: by an administrator, or after three days without success; it continues where it
 * was. `disabled`: its receiver has answered that it is gone.
 */
export const WEBHOOK_STATES = ['active', 'paused', 'disabled'] as const;
export type WebhookState = (typeof WEBHOOK_STATES)[number];

export type FilterValue = string | number | boolean | null;

/** Which events a webhook gets. An empty list or object allows all. */
export interface WebhookFilter {
  readonly sources: readonly string[];
  /** Of created and updated accounts, only if one of these fields has changed. */
  readonly fields: readonly string[];
  /** Only of accounts that have one of the values now, in each of these fields. */
  readonly values: Readonly<Record<string, readonly FilterValue[]>>;
}

export const MAX_WEBHOOKS = 50;
export const MAX_BATCH_SIZE = 100;
export const MAX_URL_LENGTH = 2_000;
export const MAX_DESCRIPTION_LENGTH = 200;
/** Of the names or values in each part of a filter. */
export const MAX_FILTER_ITEMS = 100;
/** Of the JSON of a filter. */
export const MAX_FILTER_LENGTH = 20_000;

/** How long a secret is still used after it was replaced. */
export const SECRET_OVERLAP_MS = 24 * 60 * 60 * 1_000;
/** An endpoint that has taken nothing for this long is paused. */
export const GIVE_UP_MS = 3 * 24 * 60 * 60 * 1_000;

const FIRST_RETRY_MS = 5_000;
const LONGEST_RETRY_MS = 3 * 60 * 60 * 1_000;
const RETRY_VARIATION = 0.2;
/** No attempt waits for longer. */
export const MAX_RETRY_MS = LONGEST_RETRY_MS * (1 + RETRY_VARIATION);

/** `random` is a number from 0 to 1: endpoints that failed together are not tried again together. */
export function retryDelayMs(failures: number, random: number): number {
  const delay = Math.min(FIRST_RETRY_MS * 3 ** (failures - 1), LONGEST_RETRY_MS);
  return Math.round(delay * (1 + RETRY_VARIATION * (2 * random - 1)));
}

/** `random` returns that many cryptographically random bytes. */
export function generateSecret(random: (bytes: number) => Uint8Array): string {
  return `whsec_${Buffer.from(random(32)).toString('base64')}`;
}

/** Why a URL cannot be that of a webhook, whichever host it has; undefined if it can. */
export function urlProblem(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:') || url.hostname === '')
    return 'must be a URL such as https://example.com/events';
  if (text.length > MAX_URL_LENGTH) return `must not be longer than ${MAX_URL_LENGTH} characters`;
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password';
  if (url.hash !== '') return 'must not contain a fragment';
  return undefined;
}

/** What a filter needs to know of an event. */
export interface FilteredEvent {
  readonly type: EventType;
  /** Null if it is not known, or the event is not about one source. */
  readonly source: string | null;
  /** The names of the fields that have changed. */
  readonly fields: readonly string[];
}

/** Whether a webhook gets an event, apart from the values of its account. */
export function matches(events: readonly EventType[], filter: WebhookFilter, event: FilteredEvent): boolean {
  const { sources, fields } = filter;
  if (!events.includes(event.type)) return false;
  const isOfSource = sources.length === 0 || event.type === 'rejections.burst';
  if (!isOfSource && !sources.includes(event.source ?? '')) return false;
  const hasFields = event.type === 'account.created' || event.type === 'account.updated';
  return !hasFields || fields.length === 0 || event.fields.some((field) => fields.includes(field));
}

/** The wanted values of a filter, by field. */
export type WantedValues = ReadonlyMap<string, ReadonlySet<unknown>>;

export function wantedValues(values: WebhookFilter['values']): WantedValues {
  return new Map(Object.entries(values).map(([field, wanted]) => [field, new Set(wanted)]));
}

/** Whether an account has a wanted value in each field. A list has a value if one of its items is equal. */
export function hasValues(wanted: WantedValues, account: Readonly<Record<string, unknown>>): boolean {
  for (const [field, values] of wanted) {
    const value = account[field] ?? null;
    const found: readonly unknown[] = Array.isArray(value) ? value : [value];
    if (!found.some((one) => values.has(one))) return false;
  }
  return true;
}
