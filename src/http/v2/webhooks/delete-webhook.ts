import { principalOf } from '../../auth/authenticate.js';
import { actorOf, operation, type V2App, type V2Parts } from '../operation.js';
import { WebhookIdParams, webhookNotFound } from './webhook-body.js';

export function deleteWebhook(app: V2App, parts: V2Parts): void {
  const { store, clock } = parts;
  const options = operation(parts, 'admin', {
    id: 'delete-webhook',
    tag: 'Webhooks',
    summary: 'Remove a webhook',
    description: 'Its deliveries are removed with it.',
    schema: { params: WebhookIdParams },
    responses: { 204: { description: 'Removed.' } },
    errorStatuses: [404],
  });
  app.delete('/webhooks/:id', options, async (request, reply) => {
    const { id } = request.params;
    const { tenant } = principalOf(request);
    if (!(await store.webhooks.remove(tenant.id, id, actorOf(request, clock())))) throw webhookNotFound(id);
    return reply.code(204).send();
  });
}
