import { principalOf } from '../../auth/authenticate.js';
import { actorOf, operation, type V2App, type V2Parts } from '../operation.js';
import { bodyOf, SecretWebhookSchema, WebhookIdParams, webhookNotFound } from './webhook-body.js';

export function rotateWebhookSecret(app: V2App, parts: V2Parts): void {
  const { store, clock } = parts;
  const options = operation(parts, 'admin', {
    id: 'rotate-webhook-secret',
    tag: 'Webhooks',
    summary: 'Replace the secret of a webhook',
    description:
      'Returns the new secret, which is shown only once. For 24 hours messages are signed with both, so that receivers ' +
      'can change to the new one at any time until then.',
    schema: { params: WebhookIdParams },
    responses: { 201: { description: 'The webhook with its new secret.', schema: SecretWebhookSchema } },
    errorStatuses: [404],
  });
  app.post('/webhooks/:id/rotate-secret', options, async (request, reply) => {
    const { id } = request.params;
    const { tenant } = principalOf(request);
    const rotated = await store.webhooks.rotateSecret(tenant.id, id, actorOf(request, clock()));
    if (rotated === undefined) throw webhookNotFound(id);
    return reply.code(201).send({ ...(await bodyOf(store, rotated.webhook)), secret: rotated.secret });
  });
}
