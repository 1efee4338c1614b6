import { describe, expect, it, onTestFinished } from 'vitest';
import { EventPages } from '../../dist/delivery/event-pages.js';
import { openStore } from '../../dist/store/open-store.js';
import { BEGINNING } from '../../dist/store/schema/position.js';
import { createTenant } from '../store/store-contract.js';
import { databases, urlForTest } from '../support/databases.js';
import { joinTenant } from '../support/join-tenant.js';

const NOON = Date.UTC(2027, 0, 31, 12);
const TIME = new Date(NOON).toISOString();

describe.each(databases)('events on %s', (_name, createDatabase) => {
  it('name the users who changed accounts and began runs, and the keys', async () => {
    const store = await openStore({ database: await urlForTest(createDatabase) });
    onTestFinished(() => store.close());
    const tenantId = await createTenant(store, 'acme');
    const { id, name } = await joinTenant(store, tenantId, { name: 'Kim', email: 'kim@example.com' });
    const user = { id, name };
    const upsert = (accountId: string, senderId: string, runId?: number) =>
      store.upsert({
        tenantId,
        patches: [{ accountId, fields: { licenses: 1 } }],
        requestId: 'r',
        senderId,
        runId,
        at: NOON,
        bytes: 1,
      });
    const run = await store.runs.open({ tenantId, source: 'crm', senderId: 'k', at: NOON });
    await upsert('by-key', 'k', run.id);
    await upsert('by-user', user.id);
    await store.runs.end(tenantId, run.id, 'finished', NOON);
    const undoing = { runId: run.id, requestId: null, isForced: false, toExamine: 1 };
    const start = { tenantId, source: 'console', senderId: user.id, at: NOON };
    const undo = await store.undos.open({ ...start, ...undoing });
    await store.runs.end(tenantId, undo?.id ?? 0, 'finished', NOON);

    const read = async () => (await new EventPages(store).read(tenantId, BEGINNING)).page.events;
    // On PostgreSQL the feed ends before transactions that may still be running.
    await expect.poll(async () => (await read()).length).toBe(4);
    const events = (await read()).map(({ json: { page, start, end } }) =>
      JSON.parse(page.subarray(start, end).toString()),
    );
    const account = (account_id: string, sender: object) => ({
      account_id,
      revision: 1,
      kind: 'created',
      at: TIME,
      request_id: 'r',
      ...sender,
      is_erased: false,
      changes: [{ field: 'licenses', from: null, to: 1 }],
    });
    expect(events.map(({ type, data }) => [type, data])).toEqual([
      [
        'account.created',
        account('by-key', { key_id: 'k', user: null, source: 'crm', run_id: String(run.id) }),
      ],
      ['account.created', account('by-user', { key_id: null, user, source: 'console', run_id: null })],
      ['run.finished', expect.objectContaining({ id: String(run.id), key_id: 'k', user: null })],
      [
        'run.undone',
        expect.objectContaining({
          id: String(run.id),
          key_id: 'k',
          user: null,
          undone_by: expect.objectContaining({ id: String(undo?.id), key_id: null, user }),
        }),
      ],
    ]);
  });
});
