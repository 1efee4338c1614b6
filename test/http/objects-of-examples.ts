import { expect } from 'vitest';
import { WEBHOOK } from '../../dist/http/v2/webhooks/webhook-body.js';
import { RUN } from '../../dist/wire/run-body.js';
import { runStatements } from '../support/released-database.js';
import { addUser, EXAMPLE_IDS, giveId } from './add-user.js';
import { insertWebhook } from './insert-webhook.js';
import { requestsCounted } from './run-requests.js';
import { eventually, NOON, type Tenant } from './v2-server.js';

/** The objects of the document's examples, so that a request that is accepted by mistake changes something. */
export async function addObjectsOfExamples(acme: Tenant): Promise<void> {
  const { server } = acme;
  const { store } = server;
  await acme.sync({ account_id: 'acme', name: 'Acme' });
  await acme.call('PUT', '/attributes/custom_Tier', { type: 'choice', choices: ['gold'] });
  await acme.call('POST', '/blocked-ids', { pattern: '*.test' });
  await acme.addKey(['read'], { id: 'k3f9a2b7', key: 'x'.repeat(33) });
  const run = { tenantId: acme.id, source: 'default', senderId: acme.keyId, at: server.now };
  for (let runs = 0; runs < Number(RUN.id); runs += 1) await store.runs.open(run);
  const member = { email: 'member@example.com', name: 'Member', password: 'password-of-member' };
  const id = await addUser(store, { ...member, tenantId: acme.id, role: 'viewer', at: NOON });
  const invited = await acme.call('POST', '/invitations', { email: 'invited@example.com', role: 'viewer' });
  await runStatements(
    server.database,
    insertWebhook(acme.id, WEBHOOK.id) +
      giveId('user', id, EXAMPLE_IDS.user) +
      giveId('invitation', invited.body.id, EXAMPLE_IDS.invitation),
  );
  await eventually(async () => expect(await store.jobs.countChanges(acme.id, server.now)).toBe(true));
  await requestsCounted(acme, 1);
}
