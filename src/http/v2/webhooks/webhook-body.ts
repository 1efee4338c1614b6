import Type, { type Static } from 'typebox';
import {
  EVENT_TYPES,
  MAX_BATCH_SIZE,
  MAX_DESCRIPTION_LENGTH,
  MAX_FILTER_ITEMS,
  MAX_FILTER_LENGTH,
  MAX_URL_LENGTH,
  WEBHOOK_STATES,
  type WebhookFilter,
} from '../../../domain/webhook.js';
import { comparePositions, type Position } from '../../../store/schema/position.js';
import type { Store } from '../../../store/store.js';
import type { Webhook } from '../../../store/webhooks/webhook-row.js';
import { writePosition } from '../../../wire/change-body.js';
import { isoTime, nullable, Timestamp } from '../../../wire/schemas.js';
import { httpError, invalidRequest, type PointedProblem } from '../../errors.js';
import type { V2Parts } from '../operation.js';

export const WEBHOOK = {
  id: 'wh_5f0c2a9e41d7',
  url: 'https://crm.example.com/account-events',
  description: 'Back to the CRM',
  events: ['account.updated' as const],
  filter: { sources: ['billing'], fields: ['licenses'], values: { custom_Tier: ['gold'] } },
  batch_size: 100,
  state: 'active' as const,
  reason: null,
  cursor: '0~512',
  has_all: true,
  failures: 0,
  failing_since: null,
  retry_at: null,
  last_error: null,
  delivered_at: '2027-02-01T09:30:00.750Z',
  previous_secret_until: null,
  created_at: '2027-01-31T12:00:00.000Z',
};

const FilterValue = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]);
const names = (description: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 1_000 }), { maxItems: MAX_FILTER_ITEMS, description });

const FILTER_PROPERTIES = {
  sources: names('Only events of these sources.'),
  fields: names('Of created and updated accounts, only if one of these fields has changed.'),
  values: Type.Record(
    Type.String({ minLength: 1, maxLength: 1_000 }),
    Type.Array(FilterValue, { minItems: 1, maxItems: MAX_FILTER_ITEMS }),
    {
      maxProperties: MAX_FILTER_ITEMS,
      description: 'Only of accounts that have one of the values in each of these fields when it is sent.',
    },
  ),
};

const Events = Type.Array(Type.Enum([...EVENT_TYPES]), { minItems: 1, maxItems: EVENT_TYPES.length });
const BatchSize = Type.Integer({
  minimum: 1,
  maximum: MAX_BATCH_SIZE,
  default: MAX_BATCH_SIZE,
  description: 'The most events in one message.',
});
const Url = Type.String({
  minLength: 1,
  maxLength: MAX_URL_LENGTH,
  description: 'HTTPS, with a host of the public internet, unless the operator allows others.',
});
const Description = Type.String({ maxLength: MAX_DESCRIPTION_LENGTH });

/** The settings of a webhook, as they are sent. */
export const SETTINGS = {
  url: Url,
  description: Type.Optional(Description),
  events: Type.Optional(Events),
  filter: Type.Optional(
    Type.Object(
      {
        sources: Type.Optional(FILTER_PROPERTIES.sources),
        fields: Type.Optional(FILTER_PROPERTIES.fields),
        values: Type.Optional(FILTER_PROPERTIES.values),
      },
      { additionalProperties: false, description: 'What is left out allows all.' },
    ),
  ),
  batch_size: Type.Optional(BatchSize),
};

export const WebhookSchema = Type.Object(
  {
    id: Type.String(),
    url: Type.String(),
    description: Type.String(),
    events: Type.Array(Type.Enum([...EVENT_TYPES])),
    filter: Type.Object(FILTER_PROPERTIES),
    batch_size: Type.Integer(),
    state: Type.Enum([...WEBHOOK_STATES], {
      description:
        '`paused`: by an administrator, or because it has taken nothing for three days. `disabled`: it has answered 410. ' +
        'Either keeps its cursor.',
    }),
    reason: nullable(Type.String({ description: 'Why the service has paused or disabled it.' })),
    cursor: Type.String({ description: 'The position in the change feed up to which it has got events.' }),
    has_all: Type.Boolean({ description: 'Whether it has got everything that there is now.' }),
    failures: Type.Integer({ description: 'How often the current message has failed.' }),
    failing_since: nullable(Timestamp),
    retry_at: nullable(Timestamp),
    last_error: nullable(Type.String()),
    delivered_at: nullable(Timestamp),
    previous_secret_until: nullable(
      Type.String({
        format: 'date-time',
        description: 'Until when messages are also signed with the secret before.',
      }),
    ),
    created_at: Timestamp,
  },
  { title: 'Webhook', examples: [WEBHOOK] },
);

export const SecretWebhookSchema = Type.Object(
  {
    ...WebhookSchema.properties,
    secret: Type.String({ description: 'Verifies the signatures of messages. It is shown only once.' }),
  },
  {
    title: 'WebhookWithSecret',
    examples: [{ ...WEBHOOK, secret: 'whsec_…' }],
  },
);

export const WebhookIdParams = Type.Object({
  id: Type.String({ minLength: 1, description: 'The id of the webhook.', examples: [WEBHOOK.id] }),
});

/** `feedEnd` is the position after everything that the feed of the tenant has. */
export function webhookBody(webhook: Webhook, feedEnd: Position): Static<typeof WebhookSchema> {
  const time = (at: number | null) => (at === null ? null : isoTime(at));
  return {
    id: webhook.id,
    url: webhook.url,
    description: webhook.description,
    events: [...webhook.events],
    filter: webhook.filter as Static<typeof WebhookSchema>['filter'],
    batch_size: webhook.batchSize,
    state: webhook.state,
    reason: webhook.reason,
    cursor: writePosition(webhook.position),
    has_all: comparePositions(webhook.position, feedEnd) >= 0,
    failures: webhook.failures,
    failing_since: time(webhook.failingSince),
    retry_at: time(webhook.retryAt),
    last_error: webhook.lastError,
    delivered_at: time(webhook.deliveredAt),
    previous_secret_until: time(webhook.previousUntil),
    created_at: isoTime(webhook.createdAt),
  };
}

export async function bodyOf(store: Store, webhook: Webhook): Promise<Static<typeof WebhookSchema>> {
  return webhookBody(webhook, await store.feed.end(webhook.tenantId));
}

export function webhookNotFound(id: string): Error {
  return httpError('not_found', `webhook ${id}`);
}

type SentFilter = Partial<Static<typeof WebhookSchema>['filter']>;

export function readFilter({ sources = [], fields = [], values = {} }: SentFilter): WebhookFilter {
  return { sources, fields, values };
}

/** Rejects a URL that webhooks may not have, and sources that do not exist. */
export async function checkSettings(
  { store, hostPolicy }: V2Parts,
  tenantId: number,
  { url, filter }: { readonly url?: string | undefined; readonly filter?: SentFilter | undefined },
): Promise<void> {
  const problems: PointedProblem[] = [];
  const detail = url === undefined ? undefined : hostPolicy.problemOf(url);
  if (detail !== undefined) problems.push({ pointer: '/body/url', detail });
  if (JSON.stringify(filter ?? {}).length > MAX_FILTER_LENGTH) {
    const detail = `must not have more than ${MAX_FILTER_LENGTH} characters`;
    problems.push({ pointer: '/body/filter', detail });
  }
  const sources = filter?.sources ?? [];
  const known = sources.length === 0 ? [] : await store.directory.sources.list(tenantId);
  for (const [i, source] of sources.entries()) {
    if (known.some(({ name }) => name === source)) continue;
    problems.push({ pointer: `/body/filter/sources/${i}`, detail: 'must be the name of a source' });
  }
  if (problems.length > 0) throw invalidRequest(problems);
}
