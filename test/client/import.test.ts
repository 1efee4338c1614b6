import { createInterface } from 'node:readline';
import {
  ForbiddenError,
  type ImportInput,
  IncompleteImportError,
  UnavailableError,
} from '@account-sync/client';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  all,
  cut,
  gate,
  importing,
  importResponse,
  problem,
  type RequestHandler,
  recordsOf,
  ScriptedServer,
} from './scripted-server.js';

let server: ScriptedServer;
afterEach(() => server.stop());

const POST = 'POST /api/v2/accounts/import';
const RECORDS = [{ account_id: 'a' }, { account_id: 'b' }, { account_id: 'ü' }];
const NDJSON = RECORDS.map((record) => `${JSON.stringify(record)}\n`).join('');
const RESULTS = RECORDS.map(({ account_id }, index) => ({
  index,
  account_id,
  status: 'created',
  changed: ['name'],
}));
const COUNTS = { records: 3, created: 3, updated: 0, unchanged: 0, skipped: 0, failed: 0, kept: 0 };
const SUMMARY = { ...COUNTS, dry_run: false, is_complete: true, problem: null };

/** Sends the result of each line as soon as the line arrives. */
const respondToEachLine: RequestHandler = async (request, response) => {
  response.writeHead(200, { 'content-type': 'application/x-ndjson' });
  let index = 0;
  for await (const line of createInterface({ input: request })) {
    const result = { index, account_id: JSON.parse(line).account_id, status: 'created', changed: ['name'] };
    response.write(`${JSON.stringify(result)}\n`);
    index += 1;
  }
  response.end(JSON.stringify({ summary: { ...SUMMARY, records: index, created: index } }));
};

function streamOf<Piece>(...pieces: Piece[]): ReadableStream<Piece> {
  return new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
}

async function* slowly<Piece>(...pieces: Piece[]) {
  for (const piece of pieces) yield piece;
}

describe.each([true, false])('an import, streaming: %s', (streaming) => {
  const bytes = new TextEncoder().encode(NDJSON);
  const middle = bytes.length - 4;
  it.each<[string, () => ImportInput]>([
    ['an array of records', () => RECORDS],
    ['an async iterable of records', () => slowly(...RECORDS)],
    ['a stream of records', () => streamOf(...RECORDS)],
    ['NDJSON text', () => NDJSON],
    ['NDJSON text without its last line end', () => NDJSON.trimEnd()],
    [
      'a stream of bytes that is cut inside a character',
      () => streamOf(bytes.slice(0, middle), bytes.slice(middle)),
    ],
    ['an async iterable of text in pieces', () => slowly(NDJSON.slice(0, 5), NDJSON.slice(5))],
  ])('accepts %s', async (_what, input) => {
    server = await ScriptedServer.start([importing]);
    const run = server.client().import(input(), { streaming });
    expect(await all(run)).toEqual(RESULTS);
    expect(run.summary).toEqual(SUMMARY);
    expect(server.seen).toEqual([POST]);
  });

  it('returns only the summary with finish(), and requests a dry run', async () => {
    server = await ScriptedServer.start([importing]);
    const summary = await server.client().import(RECORDS, { dryRun: true, streaming }).finish();
    expect(summary).toMatchObject(COUNTS);
    expect(server.seen).toEqual([`${POST}?dry_run=true`]);
  });

  it.each(['upsert', 'update-only', 'create-only'] as const)('requests the mode %s', async (mode) => {
    server = await ScriptedServer.start([importing]);
    await server.client().import(RECORDS, { mode, streaming }).finish();
    await server.client().import(RECORDS, { mode, dryRun: true, streaming }).finish();
    expect(server.seen).toEqual([`${POST}?mode=${mode}`, `${POST}?dry_run=true&mode=${mode}`]);
  });

  it('returns skipped records and kept fields, and counts them', async () => {
    const results = [
      { index: 0, account_id: 'a', status: 'skipped', changed: [] },
      { index: 1, account_id: 'b', status: 'updated', changed: [], kept: ['name', 'custom_Größe'] },
      { index: 2, account_id: 'ü', status: 'unchanged', changed: [], kept: ['name'] },
    ];
    const counts = { records: 3, created: 0, updated: 1, unchanged: 1, skipped: 1, failed: 0, kept: 3 };
    const summary = { ...counts, dry_run: false, is_complete: true, problem: null };
    server = await ScriptedServer.start([
      async (request, response) => {
        await recordsOf(request);
        const lines = [...results, { summary }].map((line) => `${JSON.stringify(line)}\n`).join('');
        response.writeHead(200, { 'content-type': 'application/x-ndjson' }).end(lines);
      },
    ]);
    const run = server.client().import(RECORDS, { streaming });
    expect(await all(run)).toEqual(results);
    expect(run.summary).toEqual(summary);
  });

  it('is rejected as a whole if the key lacks a scope', async () => {
    server = await ScriptedServer.start([problem(403, 'forbidden', 'This key lacks the scope sync.')]);
    await expect(server.client().import(RECORDS, { streaming }).finish()).rejects.toBeInstanceOf(
      ForbiddenError,
    );
  });

  it('fails with the error of its source', async () => {
    server = await ScriptedServer.start([importing]);
    function* source() {
      yield { account_id: 'a' };
      throw new Error('The file is torn.');
    }
    await expect(server.client().import(source(), { streaming }).finish()).rejects.toThrow(
      'The file is torn.',
    );
  });

  it('ends with the signal, even while the source hangs', async () => {
    server = await ScriptedServer.start([respondToEachLine]);
    const controller = new AbortController();
    const hanging = gate();
    async function* source() {
      yield { account_id: 'a' };
      hanging.open();
      await new Promise(() => {});
    }
    const finished = server.client().import(source(), { signal: controller.signal, streaming }).finish();
    hanging.opened.then(() => controller.abort('enough'));
    await expect(finished).rejects.toBe('enough');
  });
});

describe('a streaming import', () => {
  it('returns results while a slow source still yields records', async () => {
    server = await ScriptedServer.start([respondToEachLine]);
    const seen = RECORDS.map(gate);
    async function* source() {
      for (const [index, record] of RECORDS.entries()) {
        await seen[index - 1]?.opened;
        yield record;
      }
    }
    for await (const result of server.client({ timeoutMs: 1000 }).import(source())) {
      expect(result).toEqual(RESULTS[result.index]);
      // The source is once slower than the time limit, which applies only to the server.
      setTimeout(() => seen[result.index]?.open(), result.index === 0 ? 1200 : 0);
    }
  });

  it('is not retried after records have been sent', async () => {
    server = await ScriptedServer.start([cut, importing]);
    await expect(server.client().import(RECORDS).finish()).rejects.toBeInstanceOf(UnavailableError);
    expect(server.seen).toEqual([POST]);
  });

  it('is retried while there is no connection', async () => {
    server = await ScriptedServer.start([importing]);
    const { port } = server;
    let attempts = 0;
    const client = server.client({
      fetch: async (input, init) => {
        attempts += 1;
        if (attempts === 2) server = await ScriptedServer.start([importing], port);
        return fetch(input, init);
      },
    });
    await server.stop();
    expect(await all(client.import(slowly(...RECORDS)))).toEqual(RESULTS);
    expect(attempts).toBe(2);
  });

  it('fails if the response is cut off or ends without its summary', async () => {
    const [first] = importResponse(RECORDS).split('\n');
    server = await ScriptedServer.start([
      (request, response) => {
        request
          .resume()
          .on('end', () => response.writeHead(200).write(`${first}\n`, () => response.destroy()));
      },
      (request, response) => {
        request.resume().on('end', () => response.writeHead(200).end(`${first}\n`));
      },
    ]);
    for (let time = 0; time < 2; time++) {
      const run = server.client().import(RECORDS);
      await expect(run.finish()).rejects.toBeInstanceOf(UnavailableError);
      expect(run.summary).toBeUndefined();
    }
  });

  it('fails if the server is silent', async () => {
    server = await ScriptedServer.start([(request) => request.resume()]);
    const finished = server.client({ timeoutMs: 300 }).import(RECORDS).finish();
    await expect(finished).rejects.toThrow('did not respond for 300 ms.');
  });

  it('reports that the server ended it early, after the results', async () => {
    const early = { is_complete: false, problem: 'The database does not answer.' };
    server = await ScriptedServer.start([
      (request, response) => {
        request.resume().on('end', () => response.writeHead(200).end(importResponse(RECORDS, early)));
      },
    ]);
    const run = server.client().import(RECORDS);
    const given: unknown[] = [];
    const failure = await (async () => {
      for await (const result of run) given.push(result);
    })().catch((error: unknown) => error);
    expect(given).toEqual(RESULTS);
    expect(failure).toBeInstanceOf(IncompleteImportError);
    expect((failure as IncompleteImportError).summary).toEqual({ ...SUMMARY, ...early });
    expect(run.summary).toEqual({ ...SUMMARY, ...early });
  });

  it('closes the connection when the caller leaves the loop', async () => {
    const left = gate();
    server = await ScriptedServer.start([
      (request, response) => {
        response.on('close', left.open);
        return respondToEachLine(request, response);
      },
    ]);
    async function* endless() {
      for (;;) yield { account_id: 'a' };
    }
    for await (const { index } of server.client().import(endless())) if (index === 10) break;
    await left.opened;
  });
});

it('an import is sent in chunks if the platform cannot read a response while it sends', async () => {
  server = await ScriptedServer.start([importing]);
  const many = Array.from({ length: 250 }, (_, index) => ({ account_id: `a${index}` }));
  vi.stubGlobal('document', {});
  const run = server.client().import(many);
  vi.unstubAllGlobals();
  expect(await run.finish()).toMatchObject({ records: 250 });
  expect(server.seen).toEqual([POST, POST]);
});

it('an import in chunks computes its summary over all chunks', async () => {
  server = await ScriptedServer.start([importing]);
  const many = Array.from({ length: 450 }, (_, index) => ({ account_id: `a${index}` }));
  const run = server.client().import(many, { streaming: false });
  expect((await all(run)).map(({ index }) => index)).toEqual([...many.keys()]);
  expect(run.summary).toEqual({ ...SUMMARY, records: 450, created: 450 });
  expect(server.seen).toEqual([POST, POST, POST]);
});
