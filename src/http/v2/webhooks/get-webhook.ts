import { principalOf } from '../../auth/authenticate.js';
import { operation, type V2App, type V2Parts } from '../operation.js';
import { bodyOf, WebhookIdParams, WebhookSchema, webhookNotFound } from './webhook-body.js';

export function getWebhook(app: V2App, parts: V2Parts): void {
  const { store } = parts;
  const options = operation(parts, 'admin', {
    id: 'get-webhook',
    tag: 'Webhooks',
    summary: 'Read a webhook',
    schema: { params: WebhookIdParams },
    responses: { 200: { description: 'The webhook.', schema: WebhookSchema } },
    errorStatuses: [404],
  });
  app.get('/webhooks/:id', options, async (request) => {
    const { id } = request.params;
    const webhook = await store.webhooks.find(principalOf(request).tenant.id, id);
    if (webhook === undefined) throw webhookNotFound(id);
    return bodyOf(store, webhook);
  });
}
