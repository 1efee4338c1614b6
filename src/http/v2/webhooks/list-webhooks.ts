import Type from 'typebox';
import { MAX_WEBHOOKS } from '../../../domain/webhook.js';
import { principalOf } from '../../auth/authenticate.js';
import { operation, type V2App, type V2Parts } from '../operation.js';
import { WebhookSchema, webhookBody } from './webhook-body.js';

const ResponseBody = Type.Object({ data: Type.Array(WebhookSchema) });

export function listWebhooks(app: V2App, parts: V2Parts): void {
  const { store } = parts;
  const options = operation(parts, 'admin', {
    id: 'list-webhooks',
    tag: 'Webhooks',
    summary: 'List the webhooks',
    description: `A tenant has at most ${MAX_WEBHOOKS} webhooks.`,
    schema: {},
    responses: { 200: { description: 'All webhooks, oldest first.', schema: ResponseBody } },
  });
  app.get('/webhooks', options, async (request) => {
    const { tenant } = principalOf(request);
    const [webhooks, end] = await Promise.all([store.webhooks.list(tenant.id), store.feed.end(tenant.id)]);
    return { data: webhooks.map((webhook) => webhookBody(webhook, end)) };
  });
}
