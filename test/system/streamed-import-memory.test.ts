import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NDJSON, openImport } from '../http/import-request.js';
import { freshDirectory, Service } from '../support/service.js';

const RECORDS = 200_000;
const GROWTH_MB = 150;

describe('the memory of a server', () => {
  let service: Service;
  beforeAll(async () => {
    service = await Service.start({ ACCOUNT_SYNC_DATA_DIR: await freshDirectory() });
  }, 60_000);
  afterAll(() => service.stopAndRemove());

  it('does not grow with the size of an import', async () => {
    const warm = await importMany('warm', 20_000);
    expect(warm.statuses).toEqual({ created: 20_000, summary: 1 });
    const { sent, statuses, peakMb } = await importMany('big', RECORDS);
    expect(statuses).toEqual({ created: RECORDS, summary: 1 });
    expect(sent).toBeGreaterThan(40_000_000);
    expect(peakMb - warm.peakMb).toBeLessThan(GROWTH_MB);
  }, 240_000);

  /** Streams records, and counts their results. */
  async function importMany(name: string, records: number) {
    const request = openImport(service, NDJSON);
    let sent = 0;
    let peakMb = 0;
    const lines = function* () {
      for (let i = 0; i < records; i += 1) {
        const record = { account_id: `${name}-${i}`, name: `Name ${i}`, custom_Note: 'x'.repeat(150) };
        const line = `${JSON.stringify(record)}\n`;
        sent += line.length;
        if (i % 5_000 === 0) peakMb = Math.max(peakMb, residentMb(service.pid));
        yield line;
      }
    };
    const sending = pipeline(Readable.from(lines()), request);
    const [response] = await once(request, 'response');
    const statuses: Record<string, number> = {};
    let rest = '';
    for await (const chunk of response) {
      const texts = (rest + chunk).split('\n');
      rest = texts.pop() ?? '';
      for (const text of texts) {
        const { status = 'summary' } = JSON.parse(text);
        statuses[status] = (statuses[status] ?? 0) + 1;
      }
    }
    await sending;
    return { sent, statuses, peakMb: Math.max(peakMb, residentMb(service.pid)) };
  }
});

function residentMb(pid: number): number {
  // Small Linux containers have no `ps`.
  const kibibytes =
    process.platform === 'linux'
      ? /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
      : execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' });
  return Number(kibibytes) / 1024;
}
