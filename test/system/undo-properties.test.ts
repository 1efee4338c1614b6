import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { finishRun, keyOf, openRun, upsert } from '../http/run-requests.js';
import { undo } from '../http/undo-requests.js';
import { type Tenant, useServer } from '../http/v2-server.js';
import { databases } from '../support/databases.js';
import { problemsIn } from '../support/verified.js';

const ROUNDS = 40;
const IDS = ['a', 'b', 'c', 'd', 'e'];

/** The fields that the run to undo writes. The other source has its own field. */
const fieldValues = {
  name: fc.constantFrom(null, '', 'A', 'B'),
  parent_account_id: fc.constantFrom(null, 'p', 'q'),
  licenses: fc.constantFrom(null, 0, 1, 2),
  custom_Note: fc.constantFrom(null, 'x', '1'),
  free: fc.constantFrom<unknown>(null, 0, false, '', [], {}, [1, { y: null }], { x: { y: 1 } }),
};
const record = fc.record(
  { account_id: fc.constantFrom(...IDS), ...fieldValues },
  { requiredKeys: ['account_id'] },
);
/** One request: a batch. */
const batch = fc.array(record, { minLength: 1, maxLength: 4 });
const scenario = fc.record({
  /** Earlier requests of both sources. */
  earlier: fc.array(batch, { maxLength: 3 }),
  /** A run whose undo leaves archived accounts. */
  archived: fc.array(batch, { maxLength: 2 }),
  /** The run to undo. */
  run: fc.array(batch, { maxLength: 5 }),
  /** For each request of the run, which account the other source changes after it. */
  others: fc.array(fc.constantFrom(...IDS), { maxLength: 5 }),
});

type Values = Record<string, unknown>;

describe.each(databases)('for random writes of two sources on %s', (_name, createDatabase) => {
  const server = useServer(createDatabase);

  const state = async (tenant: Tenant): Promise<Map<string, Values>> => {
    const { data } = (await tenant.get('/accounts?archived=include')).body;
    return new Map(
      data.map(({ account_id, name, parent_account_id, fields, archived_at }: Values) => [
        account_id,
        { name, parent_account_id, ...(fields as object), isArchived: archived_at !== null },
      ]),
    );
  };
  const send = async (tenant: Tenant, body: unknown, sender: { key: string; run?: string }) =>
    expect((await upsert(tenant, body, sender)).body).toEqual({ success: true });
  const withoutArchived = (accounts: Map<string, Values>) =>
    new Map([...accounts].filter(([, { isArchived }]) => !isArchived));

  it('an undo gives the state before the run, and its undo the state after', async () => {
    const property = fc.asyncProperty(scenario, async ({ earlier, archived, run: requests, others }) => {
      const acme = await server.tenant();
      const [crm, erp] = [await keyOf(acme, 'crm'), await keyOf(acme, 'erp')];
      for (const [index, body] of earlier.entries())
        await send(acme, body, { key: index % 2 === 0 ? crm.key : erp.key });
      const first = await openRun(acme, erp.key);
      for (const body of archived) await send(acme, body, { key: erp.key, run: first });
      await finishRun(acme, first, { key: erp.key });
      expect((await undo(acme, first, {}, { key: erp.key })).conflicts).toEqual([]);
      const before = await state(acme);
      const isLive = (id: string) => before.get(id)?.isArchived === false;

      const run = await openRun(acme, crm.key);
      for (const [index, body] of requests.entries()) {
        await send(acme, body, { key: crm.key, run });
        const other = others[index];
        // A change of an account that the run has created or restored would keep it from being archived.
        if (other === undefined || !isLive(other)) continue;
        await send(acme, { account_id: other, of_erp: index }, { key: erp.key });
        before.set(other, { ...before.get(other), of_erp: index });
      }
      await finishRun(acme, run, { key: crm.key });
      const after = await state(acme);

      const dry = await undo(acme, run, { dry_run: true }, { key: crm.key });
      expect(await state(acme)).toEqual(after);
      const undone = await undo(acme, run, {}, { key: crm.key });
      expect(undone.conflicts).toEqual([]);
      expect(dry.summary).toEqual({ ...undone.summary, run_id: null, dry_run: true });
      const found = await state(acme);
      for (const id of before.keys()) expect([id, found.get(id)]).toEqual([id, before.get(id)]);
      expect(withoutArchived(found)).toEqual(withoutArchived(before));

      const again = await undo(acme, String(undone.summary.run_id), {}, { key: crm.key });
      expect(again.conflicts).toEqual([]);
      expect(await state(acme)).toEqual(after);
    });
    await fc.assert(property, { numRuns: ROUNDS, interruptAfterTimeLimit: 60_000 });
    expect(await problemsIn(server.databaseUrl)).toEqual([]);
  }, 180_000);
});
