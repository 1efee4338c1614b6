import { text } from 'node:stream/consumers';
import { UnauthenticatedError } from '@account-sync/client';
import { afterEach, describe, expect, it } from 'vitest';
import {
  all,
  cut,
  gate,
  importing,
  importResponse,
  json,
  overloaded,
  type RequestHandler,
  recordsOf,
  ScriptedServer,
} from './scripted-server.js';

let server: ScriptedServer;
afterEach(() => server.stop());

const POST = 'POST /api/v2/accounts/import';
const account = (number: number) => ({ account_id: `a${number}`, name: 'A' });
const accounts = (count: number) => Array.from({ length: count }, (_, number) => account(number));
const resultOf = (index: number, account_id = `a${index}`) => ({
  index,
  account_id,
  status: 'created',
  changed: ['name'],
});
const results = (count: number) => Array.from({ length: count }, (_, index) => resultOf(index));

/** A handler that holds each chunk until the test responds; `arrived` waits for a number of chunks. */
class HeldChunks {
  readonly chunks: { readonly ids: string[]; readonly respond: () => unknown }[] = [];
  #notify = () => {};

  readonly handler: RequestHandler = async (request, response) => {
    const records = await recordsOf(request);
    const respond = () => response.headersSent || response.writeHead(200).end(importResponse(records));
    this.chunks.push({ ids: records.map(({ account_id }) => account_id), respond });
    this.#notify();
  };

  async arrived(count: number): Promise<string[][]> {
    while (this.chunks.length < count) {
      await new Promise<void>((resolve) => {
        this.#notify = resolve;
      });
    }
    return this.chunks.map(({ ids }) => ids);
  }
}

describe('many records', () => {
  it('are sent in chunks, and every record gets its result in order', async () => {
    server = await ScriptedServer.start([importing]);
    const given = await all(server.client().upsertMany(accounts(7), { chunkSize: 3 }));
    expect(given).toEqual(results(7));
    expect(server.seen).toEqual([POST, POST, POST]);
  });

  it('are sent with their mode', async () => {
    server = await ScriptedServer.start([importing]);
    await all(server.client().upsertMany(accounts(2), { mode: 'update-only', chunkSize: 1 }));
    await all(server.client().upsertChunks([accounts(1)], { mode: 'create-only' }));
    expect(server.seen).toEqual([
      `${POST}?mode=update-only`,
      `${POST}?mode=update-only`,
      `${POST}?mode=create-only`,
    ]);
  });

  it('are only tried with dryRun, and tried again after a failure', async () => {
    server = await ScriptedServer.start([overloaded, importing]);
    const tried = server.client().upsertChunks([accounts(2)], { dryRun: true });
    expect(await all(tried)).toEqual([results(2)]);
    expect(server.seen).toEqual(Array(2).fill(`${POST}?dry_run=true`));
  });

  it('that are invalid JSON stay invalid on one line', async () => {
    const bodies: string[] = [];
    const recordBody: RequestHandler = async (request, response) => {
      bodies.push(await text(request));
      response.writeHead(200).end(importResponse([account(0)]));
    };
    server = await ScriptedServer.start([recordBody]);
    await all(server.client().upsertMany(['{"account_id":"a0","name":"one\ntwo"}']));
    expect(() => JSON.parse(bodies[0] ?? '')).toThrow(SyntaxError);
    expect(bodies[0]?.split('\n')).toHaveLength(2);
  });

  it.each(['null', '{}', '{"status":"shelved"}', '[]'])('with the unknown result %s fail', async (line) => {
    server = await ScriptedServer.start([
      async (request, response) => {
        await text(request);
        response.writeHead(200).end(`${line}\n`);
      },
    ]);
    await expect(all(server.client().upsertMany([account(0)]))).rejects.toThrow(
      `The import returned a line of an unknown form: ${line}`,
    );
  });

  it('may come in arrays: one request and one array of results for each', async () => {
    server = await ScriptedServer.start([importing]);
    const pieces = [accounts(2), [], [account(2)]];
    const given = await all(server.client().upsertChunks(pieces));
    expect(given).toEqual([results(2), [resultOf(2)]]);
    expect(server.seen).toEqual([POST, POST]);
  });

  it('may be JSON text, which is sent unchanged, on one line', async () => {
    const bodies: string[] = [];
    const recordBody: RequestHandler = async (request, response) => {
      bodies.push(await text(request));
      response.writeHead(200).end(importResponse([account(0), account(1)]));
    };
    server = await ScriptedServer.start([recordBody]);
    const records = ['{"account_id":"a0",\r\n "n": 9007199254740993.0}', account(1)];
    expect(await all(server.client().upsertMany(records))).toEqual(results(2));
    expect(bodies).toEqual([
      '{"account_id":"a0",  "n": 9007199254740993.0}\n{"account_id":"a1","name":"A"}\n',
    ]);
  });

  it('may come from an async iterable or a stream; none at all is fine', async () => {
    server = await ScriptedServer.start([importing]);
    const client = server.client();
    async function* slowly() {
      for (const record of accounts(3)) yield record;
    }
    expect(await all(client.upsertMany(slowly()))).toEqual(results(3));
    const stream = new ReadableStream({
      start(controller) {
        for (const record of accounts(3)) controller.enqueue(record);
        controller.close();
      },
    });
    expect(await all(client.upsertMany(stream))).toEqual(results(3));
    expect(await all(client.upsertMany([]))).toEqual([]);
    expect(server.seen).toEqual([POST, POST]);
  });

  it('give results in order for chunks that finish in any order, within the limit of concurrency', async () => {
    const held = new HeldChunks();
    server = await ScriptedServer.start([held.handler]);
    const given = all(server.client().upsertMany(accounts(5), { chunkSize: 1, concurrency: 3 }));
    expect((await held.arrived(3)).toSorted()).toEqual([['a0'], ['a1'], ['a2']]);
    const byId = (id: string) => held.chunks.find(({ ids }) => ids[0] === id);
    byId('a2')?.respond();
    byId('a1')?.respond();
    byId('a0')?.respond();
    expect((await held.arrived(5)).slice(3).toSorted()).toEqual([['a3'], ['a4']]);
    byId('a4')?.respond();
    byId('a3')?.respond();
    expect(await given).toEqual(results(5));
  });

  it('are read only as far as they can be sent', async () => {
    const held = new HeldChunks();
    server = await ScriptedServer.start([held.handler]);
    let read = 0;
    function* endless() {
      for (;;) yield account(read++);
    }
    const sending = server.client().upsertMany(endless(), { chunkSize: 2, concurrency: 2 });
    const first = sending.next();
    await held.arrived(2);
    // Two chunks in flight and one read ahead.
    expect(read).toBeLessThanOrEqual(6);
    for (const { respond } of held.chunks) respond();
    expect((await first).value).toEqual(resultOf(0));
    expect((await sending.next()).value).toEqual(resultOf(1));
    expect(read).toBeLessThanOrEqual(8);
    await sending.return(undefined);
  });

  it('that are large are sent in smaller chunks', async () => {
    const held = new HeldChunks();
    server = await ScriptedServer.start([held.handler]);
    const large = accounts(3).map((record) => ({ ...record, note: 'x'.repeat(600_000) }));
    const given = all(server.client().upsertMany(large));
    expect((await held.arrived(2)).toSorted()).toEqual([['a0', 'a1'], ['a2']]);
    for (const { respond } of held.chunks) respond();
    expect(await given).toEqual(results(3));
  });
});

describe('records of one account', () => {
  it.each([
    ['the same id', 'acme', 'acme'],
    ['another case and white space', 'acme', ' ACME\n'],
    ['another Unicode form', 'm\u00fcller', 'Mu\u0308ller'],
    ['a number and its text', 42, '42'],
  ])('stay in order across chunks: %s', async (_what, one, other) => {
    const held = new HeldChunks();
    server = await ScriptedServer.start([held.handler]);
    const records = [one, 'b', other, 'c'].map((account_id) => ({ account_id }));
    const given = all(server.client().upsertMany(records, { chunkSize: 1 }));
    // The third waits for the first, and the fourth does not overtake it.
    expect((await held.arrived(2)).toSorted()).toEqual([[one], ['b']].toSorted());
    held.chunks.find(({ ids }) => ids[0] === one)?.respond();
    expect((await held.arrived(4)).slice(2).toSorted()).toEqual([[other], ['c']].toSorted());
    for (const { respond } of held.chunks) respond();
    expect((await given).map(({ account_id }) => account_id)).toEqual([one, 'b', other, 'c']);
  });
});

describe('a chunk that fails', () => {
  const cutWithinResponse: RequestHandler = async (request, response) => {
    const body = importResponse(await recordsOf(request));
    response.writeHead(200).write(body.slice(0, 90), () => response.destroy());
  };
  const withoutSummary: RequestHandler = async (request, response) => {
    const [first] = importResponse(await recordsOf(request)).split('\n');
    response.writeHead(200).end(`${first}\n`);
  };
  const incomplete: RequestHandler = async (request, response) => {
    const records = await recordsOf(request);
    const problem = { is_complete: false, problem: 'The database does not answer.' };
    response.writeHead(200).end(importResponse(records.slice(0, 1), problem));
  };

  it('temporarily is sent again', async () => {
    const failing = [cut, json(503, {}), cutWithinResponse, withoutSummary, incomplete];
    server = await ScriptedServer.start([...failing, importing]);
    expect(await all(server.client().upsertMany(accounts(2)))).toEqual(results(2));
    expect(server.seen).toEqual(Array(6).fill(POST));
  });

  it('permanently ends the run, after the results of the chunks before it', async () => {
    const unauthenticated = json(401, { success: false, error: 'Unauthenticated.', status: 403 });
    const rejectLaterChunks: RequestHandler = (request, response) =>
      server.seen.length === 1 ? importing(request, response) : unauthenticated(request, response);
    server = await ScriptedServer.start([rejectLaterChunks]);
    const sending = server.client().upsertMany(accounts(9), { chunkSize: 2, concurrency: 1 });
    expect((await sending.next()).value).toEqual(resultOf(0));
    expect((await sending.next()).value).toEqual(resultOf(1));
    await expect(sending.next()).rejects.toBeInstanceOf(UnauthenticatedError);
    expect(await sending.next()).toEqual({ done: true, value: undefined });
  });
});

describe('the end of a run', () => {
  it('closes the source and the requests in flight when the caller leaves the loop', async () => {
    const closed = gate();
    const left = gate();
    server = await ScriptedServer.start([
      importing,
      (_request, response) => {
        response.on('close', left.open);
      },
    ]);
    async function* source() {
      try {
        for (let number = 0; ; number++) yield account(number);
      } finally {
        closed.open();
      }
    }
    for await (const result of server.client().upsertMany(source(), { chunkSize: 1, concurrency: 2 })) {
      expect(result).toEqual(resultOf(0));
      break;
    }
    await closed.opened;
    if (server.seen.length > 1) await left.opened;
  });

  it('comes with the signal, even while the source hangs', async () => {
    server = await ScriptedServer.start([importing]);
    const controller = new AbortController();
    const hanging = gate();
    async function* source() {
      yield account(0);
      hanging.open();
      await new Promise(() => {});
    }
    const given = all(server.client().upsertMany(source(), { signal: controller.signal }));
    await hanging.opened;
    controller.abort('enough');
    await expect(given).rejects.toBe('enough');
  });

  it('is the error of the source, after the results of the records before it', async () => {
    server = await ScriptedServer.start([importing]);
    function* source() {
      yield account(0);
      yield account(1);
      throw new Error('The file is torn.');
    }
    const sending = server.client().upsertMany(source(), { chunkSize: 1 });
    expect((await sending.next()).value).toEqual(resultOf(0));
    expect((await sending.next()).value).toEqual(resultOf(1));
    await expect(sending.next()).rejects.toThrow('The file is torn.');
  });
});
