import Type, { type Static } from 'typebox';
import { comparePositions, type Position } from '../../../store/schema/position.js';
import type { Store } from '../../../store/store.js';
import { readPosition } from '../../../wire/change-body.js';
import { principalOf } from '../../auth/authenticate.js';
import { invalidRequest } from '../../errors.js';
import { actorOf, operation, type V2App, type V2Parts } from '../operation.js';
import { readTimestamp } from '../request-validation.js';
import { bodyOf, WebhookIdParams, WebhookSchema, webhookNotFound } from './webhook-body.js';

export const ReplaySchema = Type.Object(
  {
    after: Type.Optional(Type.String({ description: 'A cursor of the change feed, or of an event.' })),
    since: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'A moment. Some events of the seconds before it may be sent, too.',
      }),
    ),
  },
  { additionalProperties: false, examples: [{ since: '2027-02-01T00:00:00Z' }] },
);

export function replayWebhook(app: V2App, parts: V2Parts): void {
  const { store, clock } = parts;
  const options = operation(parts, 'admin', {
    id: 'replay-webhook',
    tag: 'Webhooks',
    summary: 'Send events again from a moment or cursor on',
    description:
      'Send either `after` or `since`. The webhook gets everything from there on, in order, in messages with new ids; it ' +
      'is resumed if it was paused or disabled. Changes that the tenant does not keep any more are missing.',
    schema: { params: WebhookIdParams, body: ReplaySchema },
    responses: { 200: { description: 'The webhook.', schema: WebhookSchema } },
    errorStatuses: [404],
  });
  app.post('/webhooks/:id/replay', options, async (request) => {
    const { id } = request.params;
    const { tenant } = principalOf(request);
    const position = await startOf(store, tenant.id, request.body);
    const webhook = await store.webhooks.replay(tenant.id, id, position, actorOf(request, clock()));
    if (webhook === undefined) throw webhookNotFound(id);
    return bodyOf(store, webhook);
  });
}

async function startOf(
  store: Store,
  tenantId: number,
  { after, since }: Static<typeof ReplaySchema>,
): Promise<Position> {
  if ((after === undefined) === (since === undefined))
    throw invalidRequest([{ pointer: '/body', detail: 'must have either after or since' }]);
  const at = readTimestamp(since, '/body/since');
  if (at !== undefined) return store.feed.before(tenantId, at);
  const position = readPosition(after ?? '');
  if (position === undefined)
    throw invalidRequest([{ pointer: '/body/after', detail: 'must be a cursor of the change feed' }]);
  const end = await store.feed.end(tenantId);
  return comparePositions(position, end) < 0 ? position : end;
}
