import Type from 'typebox';
import { isoTime, nullable, Timestamp } from '../../../wire/schemas.js';
import { principalOf } from '../../auth/authenticate.js';
import { isNumber, readCursor, writeCursor } from '../cursor.js';
import { operation, type V2App, type V2Parts } from '../operation.js';
import { DEFAULT_LIMIT, PageQuery, pageOf } from '../schemas.js';
import { WebhookIdParams, webhookNotFound } from './webhook-body.js';

export const DeliverySchema = Type.Object(
  {
    id: Type.String(),
    at: Timestamp,
    message_id: Type.String({ description: 'The `webhook-id` of the last message.' }),
    attempt: Type.Integer({ minimum: 1 }),
    messages: Type.Integer({ description: 'More than one if several were taken within a second.' }),
    events: Type.Integer({ description: 'In all of these messages.' }),
    status: nullable(Type.Integer({ description: 'Null if there was no answer.' })),
    error: nullable(Type.String({ description: 'Null if the message was taken.' })),
    took_ms: Type.Integer({ description: 'Of the slowest message.' }),
    answer: nullable(Type.String({ description: 'The first 2 KB of the answer to the last message.' })),
  },
  {
    title: 'Delivery',
    examples: [
      {
        id: '31',
        at: '2027-02-01T09:30:00.500Z',
        message_id: 'msg_vYbU0cVWJz1nqVtVhE2kq2zXwQe',
        attempt: 1,
        messages: 1,
        events: 12,
        status: 200,
        error: null,
        took_ms: 41,
        answer: 'ok',
      },
    ],
  },
);

export function listDeliveries(app: V2App, parts: V2Parts): void {
  const { store } = parts;
  const options = operation(parts, 'admin', {
    id: 'list-deliveries',
    tag: 'Webhooks',
    summary: 'List the latest deliveries of a webhook, newest first',
    description:
      'Messages that were taken within a second share one entry. The latest 1,000 are kept, for as long as rejections are.',
    schema: { params: WebhookIdParams, querystring: PageQuery },
    responses: { 200: { description: 'A page of deliveries.', schema: pageOf(DeliverySchema) } },
    errorStatuses: [404],
  });
  app.get('/webhooks/:id/deliveries', options, async (request) => {
    const { id } = request.params;
    const { tenant } = principalOf(request);
    const { limit = DEFAULT_LIMIT, cursor } = request.query;
    const before = cursor === undefined ? undefined : readCursor(['deliveries', id], cursor, isNumber);
    if ((await store.webhooks.find(tenant.id, id)) === undefined) throw webhookNotFound(id);
    const found = await store.deliveryLog.page(tenant.id, id, before, limit);
    return {
      data: found.map((one) => ({
        id: String(one.id),
        at: isoTime(one.at),
        message_id: one.messageId,
        attempt: one.attempt,
        messages: one.deliveries,
        events: one.events,
        status: one.status,
        error: one.error,
        took_ms: one.tookMs,
        answer: one.answer,
      })),
      next: found.length < limit ? null : writeCursor(['deliveries', id], found.at(-1)?.id ?? 0),
    };
  });
}
