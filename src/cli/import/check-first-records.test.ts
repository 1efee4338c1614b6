import type { AccountSync, ImportResult } from '@account-sync/client';
import { describe, expect, it } from 'vitest';
import { columnOptions } from '../../../test/support/import-parts.js';
import { StatusLine } from '../terminal/status-line.js';
import { checkFirstRecords, tooManyRejected } from './check-first-records.js';
import type { ImportOptions } from './import-options.js';
import type { ImportPlan } from './import-plan.js';
import type { ImportItem } from './items.js';
import { KnownFields } from './known-fields.js';
import { RepeatedIds } from './repeated-ids.js';

const OPTIONS: ImportOptions = { empty: 'clear', maxRejected: 50, concurrency: 4, giveUpAfter: 60 };

/** A plan for a file of so many records. */
function planOf(records: number, problem?: string): ImportPlan {
  const item = (number: number): ImportItem => ({
    line: number + 2,
    record: problem === undefined ? `{"account_id":"a${number}"}` : undefined,
    original: '',
    ...(problem !== undefined && { problem }),
  });
  return {
    importFile: undefined as never,
    fingerprint: '',
    known: new KnownFields(undefined),
    columnOptions: columnOptions(),
    conversions: new Map(),
    ids: new RepeatedIds(),
    rows: {
      header: [],
      isOfRejectedRows: false,
      columns: [],
      async *scan() {},
      async *batches() {
        for (let start = 0; start < records; start += 700) {
          const length = Math.min(700, records - start);
          yield Array.from({ length }, (_, at) => item(start + at));
        }
      },
      original: () => undefined,
    },
  };
}

/** What the server is asked, which rejects the first records. */
function serverThatRejects(rejected: number) {
  const requests: { readonly options: unknown; readonly records: number }[] = [];
  const client = {
    async *upsertChunks(
      chunks: readonly (readonly string[])[],
      { signal: _, ...options }: { signal?: AbortSignal },
    ) {
      for (const chunk of chunks.filter(({ length }) => length > 0)) {
        requests.push({ options, records: chunk.length });
        yield chunk.map((_record, index): ImportResult => {
          const common = { index, account_id: `a${index}` };
          return index < rejected
            ? { ...common, status: 'failed', errors: { name: ['The name must be a string.'] } }
            : { ...common, status: 'created', changed: [] };
        });
      }
    },
  };
  return { requests, client: client as unknown as AccountSync };
}

async function check(records: number, rejected: number, options: Partial<ImportOptions> = {}) {
  const { requests, client } = serverThatRejects(rejected);
  const line = new StatusLine({ isQuiet: true });
  const all = { ...OPTIONS, ...options };
  const tracker = await checkFirstRecords({ client, plan: planOf(records), options: all, line });
  return { tracker, requests, problem: tooManyRejected(tracker, all) };
}

describe('the first records are checked', () => {
  it.each<[records: number, Partial<ImportOptions>, sent: number]>([
    [3, {}, 3],
    [1_000, {}, 1_000],
    [2_500, {}, 1_000],
    [2_500, { limit: 5 }, 5],
    [2_500, { limit: 2_000 }, 1_000],
  ])('of %i with %j: %i in one dry run', async (records, options, sent) => {
    const { requests, tracker } = await check(records, 0, options);
    expect(requests).toEqual([{ options: { dryRun: true }, records: sent }]);
    expect([tracker.records, tracker.first]).toEqual([sent, { records: sent, refused: 0 }]);
  });

  it('in the mode of the import', async () => {
    const { requests } = await check(3, 0, { mode: 'update-only' });
    expect(requests).toEqual([{ options: { dryRun: true, mode: 'update-only' }, records: 3 }]);
  });

  it('without a request if none can be sent', async () => {
    const { requests, client } = serverThatRejects(0);
    const line = new StatusLine({ isQuiet: true });
    const plan = planOf(3, 'The row has 1 cells, the header 2.');
    const tracker = await checkFirstRecords({ client, plan, options: OPTIONS, line });
    expect([requests, tracker.first]).toEqual([[], { records: 3, refused: 3 }]);
    expect(tooManyRejected(tracker, OPTIONS)).toBe(
      '3 of the 3 records would be rejected, more than 50 %. Nothing was stored. Correct what is listed above, or store the others with --max-rejected 100.',
    );
  });
});

describe('an import goes on', () => {
  it.each<[records: number, rejected: number, Partial<ImportOptions>]>([
    [2, 1, {}],
    [1_000, 500, {}],
    [5_000, 500, {}],
    [4, 3, { maxRejected: 75 }],
    [4, 4, { maxRejected: 100 }],
    [4, 0, { maxRejected: 0 }],
  ])('with %i records, %i of them rejected, with %j', async (records, rejected, options) => {
    expect((await check(records, rejected, options)).problem).toBeNull();
  });

  it.each<[records: number, rejected: number, Partial<ImportOptions>, problem: string]>([
    [3, 2, {}, '2 of the 3 records would be rejected, more than 50 %. Nothing was stored.'],
    [5_000, 501, {}, '501 of the first 1,000 records would be rejected, more than 50 %. Nothing was stored.'],
    [4, 1, { maxRejected: 0 }, '1 of the 4 records would be rejected, more than 0 %. Nothing was stored.'],
    [
      3,
      3,
      { dryRun: true },
      '3 of the 3 records would be rejected, more than 50 %. An import would stop and store nothing.',
    ],
  ])('not with %i records, %i of them rejected, with %j', async (records, rejected, options, problem) => {
    expect((await check(records, rejected, options)).problem).toBe(
      `${problem} Correct what is listed above, or store the others with --max-rejected 100.`,
    );
  });
});
