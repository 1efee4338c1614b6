import { expect, it } from 'vitest';
import { tenantRules } from '../../domain/tenant.js';
import { noCounts } from '../requests.js';
import { HeldRecords } from './held-records.js';
import { ImportRun } from './import-run.js';

const MIB = 1024 * 1024;
const rules = tenantRules({
  accountIds: 'any',
  undeclaredFields: 'keep',
  attributes: [],
  blockedPatterns: [],
});

function begin(held: HeldRecords): ImportRun {
  const maxBytes = 10 * MIB;
  return new ImportRun({
    held,
    tenant: () => ({ rules, trackedSources: [] }),
    options: {
      tenantId: 1,
      senderId: 'k',
      source: 's',
      isMirrored: false,
      requestId: 'r',
      isArray: false,
      isDryRun: false,
      maxBytes,
    },
    upsert: async ({ patches }) => ({
      ...noCounts(),
      created: patches.length,
      records: patches.map(() => ({ outcome: 'created', changed: [] })),
    }),
  });
}

const push = (run: ImportRun, text: string, isLast = false) =>
  run.push({ bytes: Buffer.from(text), isLast }, 1);
const beginning = (bytes: number) => `{"account_id":"a","custom_Long":"${'x'.repeat(bytes)}`;

it('ends the import with the largest incomplete record when all of them take too much memory', async () => {
  const held = new HeldRecords(10 * MIB);
  const runs = [8, 9, 7].map((mib) => ({ run: begin(held), mib }));
  for (const { run, mib } of runs) await push(run, beginning(mib * MIB));
  const small = begin(held);
  await push(small, beginning(1));
  expect(runs.map(({ run }) => run.heldBytes > 0)).toEqual([true, true, true]);
  const fourth = begin(held);
  await push(fourth, beginning(8.5 * MIB));
  // 32.5 MiB, of which 9 are freed immediately.
  expect(runs.map(({ run }) => run.heldBytes > 0)).toEqual([true, false, true]);
  for (const { run, mib } of [...runs, { run: small, mib: 0 }, { run: fourth, mib: 8.5 }]) {
    const { end, counts } = await push(run, '"}', true);
    expect([mib, end, counts.created]).toEqual(
      mib === 9 ? [9, { code: 'too_many_bodies', args: [] }, 0] : [mib, undefined, 1],
    );
  }
});

it('counts only imports that have not been closed', async () => {
  const held = new HeldRecords(10 * MIB);
  for (let i = 0; i < 8; i += 1) {
    const run = begin(held);
    expect((await push(run, beginning(9 * MIB))).end).toBeUndefined();
    expect(run.heldBytes).toBeGreaterThan(9 * MIB);
    await run.close();
  }
});
