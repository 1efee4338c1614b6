import { randomBytes } from 'node:crypto';
import Type from 'typebox';
import { eventBody, messageBody } from '../../../wire/event-body.js';
import { nullable } from '../../../wire/schemas.js';
import { principalOf } from '../../auth/authenticate.js';
import { operation, type V2App, type V2Parts } from '../operation.js';
import { WebhookIdParams, webhookNotFound } from './webhook-body.js';

export const TestDeliverySchema = Type.Object(
  {
    message_id: Type.String(),
    status: nullable(Type.Integer({ description: 'The status of the answer; null if there was none.' })),
    error: nullable(Type.String({ description: 'Why the message was not taken; null if it was.' })),
    took_ms: Type.Integer(),
    answer: nullable(Type.String({ description: 'The first 2 KB of the answer.' })),
  },
  {
    title: 'TestDelivery',
    examples: [{ message_id: 'msg_test_4f1a9c0e77b2', status: 200, error: null, took_ms: 41, answer: 'ok' }],
  },
);

export function testWebhook(app: V2App, parts: V2Parts): void {
  const { store, clock, messageSender } = parts;
  const options = operation(parts, 'admin', {
    id: 'test-webhook',
    tag: 'Webhooks',
    summary: 'Send a test event',
    description:
      'Sends one event of the type `webhook.test` at once, whatever the state of the webhook, and returns the answer. It ' +
      'is listed among the deliveries, is not repeated, and moves no cursor.',
    schema: { params: WebhookIdParams },
    responses: { 200: { description: 'What the receiver has answered.', schema: TestDeliverySchema } },
    errorStatuses: [404],
  });
  app.post('/webhooks/:id/test', options, async (request) => {
    const { id } = request.params;
    const { tenant } = principalOf(request);
    const at = clock();
    const webhook = await store.webhooks.find(tenant.id, id);
    const secrets = await store.webhooks.secrets(tenant.id, id, at);
    if (webhook === undefined || secrets === undefined) throw webhookNotFound(id);
    const messageId = `msg_test_${randomBytes(6).toString('hex')}`;
    const event = eventBody('webhook.test', at, null, { webhook_id: id });
    const message = { id: messageId, body: messageBody([Buffer.from(JSON.stringify(event))], at) };
    const { status, error, tookMs, text } = await messageSender.send(webhook.url, message, secrets, at);
    const delivery = {
      at,
      messageId,
      attempt: 1,
      deliveries: 1,
      events: 1,
      status,
      error,
      tookMs,
      answer: text,
    };
    await store.deliveryLog.add({ ...delivery, webhookId: id, tenantId: tenant.id });
    return { message_id: messageId, status, error, took_ms: tookMs, answer: text };
  });
}
