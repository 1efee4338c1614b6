import Type from 'typebox';
import { EVENT_TYPES, MAX_BATCH_SIZE } from '../../../domain/webhook.js';
import { principalOf } from '../../auth/authenticate.js';
import { actorOf, operation, type V2App, type V2Parts } from '../operation.js';
import { bodyOf, checkSettings, readFilter, SETTINGS, SecretWebhookSchema } from './webhook-body.js';

export const NewWebhookSchema = Type.Object(SETTINGS, {
  additionalProperties: false,
  examples: [{ url: 'https://crm.example.com/account-events', events: ['account.updated'] }],
});

export function createWebhook(app: V2App, parts: V2Parts): void {
  const { store, clock } = parts;
  const options = operation(parts, 'admin', {
    id: 'create-webhook',
    tag: 'Webhooks',
    summary: 'Create a webhook',
    description:
      'It gets events from now on; replay it for earlier ones. By default it gets all kinds of events. Returns its ' +
      'secret, which is shown only once. More than 50 webhooks are rejected with 409 and the code `too_many_webhooks`.',
    schema: { body: NewWebhookSchema },
    responses: { 201: { description: 'The new webhook.', schema: SecretWebhookSchema } },
    errorStatuses: [409],
  });
  app.post('/webhooks', options, async (request, reply) => {
    const { tenant } = principalOf(request);
    const {
      url,
      description = '',
      events = EVENT_TYPES,
      filter = {},
      batch_size: batchSize = MAX_BATCH_SIZE,
    } = request.body;
    await checkSettings(parts, tenant.id, { url, filter });
    const { webhook, secret } = await store.webhooks.add(
      tenant.id,
      { url, description, events: [...new Set(events)], filter: readFilter(filter), batchSize },
      await store.feed.end(tenant.id),
      actorOf(request, clock()),
    );
    return reply.code(201).send({ ...(await bodyOf(store, webhook)), secret });
  });
}
