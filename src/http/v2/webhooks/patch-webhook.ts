import Type from 'typebox';
import { principalOf } from '../../auth/authenticate.js';
import { actorOf, operation, type V2App, type V2Parts } from '../operation.js';
import {
  bodyOf,
  checkSettings,
  readFilter,
  SETTINGS,
  WebhookIdParams,
  WebhookSchema,
  webhookNotFound,
} from './webhook-body.js';

export const WebhookChangesSchema = Type.Object(
  {
    ...SETTINGS,
    url: Type.Optional(SETTINGS.url),
    state: Type.Optional(
      Type.Enum(['active', 'paused'], {
        description: '`active` also tries at once what would be tried again later.',
      }),
    ),
  },
  { additionalProperties: false, examples: [{ state: 'active' }] },
);

export function patchWebhook(app: V2App, parts: V2Parts): void {
  const { store, clock } = parts;
  const options = operation(parts, 'admin', {
    id: 'patch-webhook',
    tag: 'Webhooks',
    summary: 'Change, pause or resume a webhook',
    description:
      'What is not sent stays unchanged; a filter is replaced as a whole. A webhook continues where it was.',
    schema: { params: WebhookIdParams, body: WebhookChangesSchema },
    responses: { 200: { description: 'The changed webhook.', schema: WebhookSchema } },
    errorStatuses: [404],
  });
  app.patch('/webhooks/:id', options, async (request) => {
    const { tenant } = principalOf(request);
    const { id } = request.params;
    const { url, description, events, filter, batch_size: batchSize, state } = request.body;
    await checkSettings(parts, tenant.id, { url, filter });
    const by = actorOf(request, clock());
    const { webhooks } = store;
    const changes = {
      ...(url !== undefined && { url }),
      ...(description !== undefined && { description }),
      ...(events !== undefined && { events: [...new Set(events)] }),
      ...(filter !== undefined && { filter: readFilter(filter) }),
      ...(batchSize !== undefined && { batchSize }),
    };
    let webhook = await webhooks.change(tenant.id, id, changes, by);
    if (state === 'active') webhook = await webhooks.resume(tenant.id, id, by);
    if (state === 'paused') webhook = await webhooks.pause(tenant.id, id, by);
    if (webhook === undefined) throw webhookNotFound(id);
    return bodyOf(store, webhook);
  });
}
