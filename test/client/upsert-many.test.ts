import { text } from 'node:stream/consumers';
import { UnauthenticatedError } from '@account-sync/client';
import { afterEach, describe, expect, it } from 'vitest';
import {
  type Answer,
  all,
  cut,
  gate,
  importAnswer,
  importing,
  json,
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

/** Keeps each chunk until the test answers it; `arrived` resolves when so many are there. */
class Held {
  readonly chunks: { readonly ids: string[]; readonly answer: () => unknown }[] = [];
  #tell = () => {};

  readonly answer: Answer = async (request, response) => {
    const records = await recordsOf(request);
    const answer = () => response.headersSent || response.writeHead(200).end(importAnswer(records));
    this.chunks.push({ ids: records.map(({ account_id }) => account_id), answer });
    this.#tell();
  };

  async arrived(count: number): Promise<string[][]> {
    while (this.chunks.length < count) {
      await new Promise<void>((resolve) => {
        this.#tell = resolve;
      });
    }
    return this.chunks.map(({ ids }) => ids);
  }
}

describe('many records', () => {
  it('go in chunks, and every record gets its result in order', async () => {
    server = await ScriptedServer.start([importing]);
    const given = await all(server.client().upsertMany(accounts(7), { chunkSize: 3 }));
    expect(given).toEqual(results(7));
    expect(server.seen).toEqual([POST, POST, POST]);
  });

  it('that are no JSON do not become it by being put on one line', async () => {
    const bodies: string[] = [];
    const keeping: Answer = async (request, response) => {
      bodies.push(await text(request));
      response.writeHead(200).end(importAnswer([account(0)]));
    };
    server = await ScriptedServer.start([keeping]);
    await all(server.client().upsertMany(['{"account_id":"a0","name":"one\ntwo"}']));
    expect(() => JSON.parse(bodies[0] ?? '')).toThrow(SyntaxError);
    expect(bodies[0]?.split('\n')).toHaveLength(2);
  });

  it.each(['null', '{}', '{"status":"shelved"}', '[]'])(
    'answered with %s are not counted as anything',
    async (line) => {
      server = await ScriptedServer.start([
        async (request, response) => {
          await text(request);
          response.writeHead(200).end(`${line}\n`);
        },
      ]);
      await expect(all(server.client().upsertMany([account(0)]))).rejects.toThrow(
        `A record was answered in a form that is not known: ${line}`,
      );
    },
  );

  it('may come in pieces, each of which is a request whose results come together', async () => {
    server = await ScriptedServer.start([importing]);
    const pieces = [accounts(2), [], [account(2)]];
    const given = await all(server.client().upsertChunks(pieces));
    expect(given).toEqual([results(2), [resultOf(2)]]);
    expect(server.seen).toEqual([POST, POST]);
  });

  it('may be JSON already, which goes out as it is, on one line', async () => {
    const bodies: string[] = [];
    const keeping: Answer = async (request, response) => {
      bodies.push(await text(request));
      response.writeHead(200).end(importAnswer([account(0), account(1)]));
    };
    server = await ScriptedServer.start([keeping]);
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

  it('give results in order though chunks are answered in another, and no more run than allowed', async () => {
    const held = new Held();
    server = await ScriptedServer.start([held.answer]);
    const given = all(server.client().upsertMany(accounts(5), { chunkSize: 1, concurrency: 3 }));
    expect((await held.arrived(3)).toSorted()).toEqual([['a0'], ['a1'], ['a2']]);
    const byId = (id: string) => held.chunks.find(({ ids }) => ids[0] === id);
    byId('a2')?.answer();
    byId('a1')?.answer();
    byId('a0')?.answer();
    expect((await held.arrived(5)).slice(3).toSorted()).toEqual([['a3'], ['a4']]);
    byId('a4')?.answer();
    byId('a3')?.answer();
    expect(await given).toEqual(results(5));
  });

  it('are read only as far as they can be sent', async () => {
    const held = new Held();
    server = await ScriptedServer.start([held.answer]);
    let read = 0;
    function* endless() {
      for (;;) yield account(read++);
    }
    const sending = server.client().upsertMany(endless(), { chunkSize: 2, concurrency: 2 });
    const first = sending.next();
    await held.arrived(2);
    // Two chunks under way and one ahead.
    expect(read).toBeLessThanOrEqual(6);
    for (const { answer } of held.chunks) answer();
    expect((await first).value).toEqual(resultOf(0));
    expect((await sending.next()).value).toEqual(resultOf(1));
    expect(read).toBeLessThanOrEqual(8);
    await sending.return(undefined);
  });

  it('that are large go in smaller chunks', async () => {
    const held = new Held();
    server = await ScriptedServer.start([held.answer]);
    const large = accounts(3).map((record) => ({ ...record, note: 'x'.repeat(600_000) }));
    const given = all(server.client().upsertMany(large));
    expect((await held.arrived(2)).toSorted()).toEqual([['a0', 'a1'], ['a2']]);
    for (const { answer } of held.chunks) answer();
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
    const held = new Held();
    server = await ScriptedServer.start([held.answer]);
    const records = [one, 'b', other, 'c'].map((account_id) => ({ account_id }));
    const given = all(server.client().upsertMany(records, { chunkSize: 1 }));
    // The third waits for the first, and the fourth does not overtake it.
    expect((await held.arrived(2)).toSorted()).toEqual([[one], ['b']].toSorted());
    held.chunks.find(({ ids }) => ids[0] === one)?.answer();
    expect((await held.arrived(4)).slice(2).toSorted()).toEqual([[other], ['c']].toSorted());
    for (const { answer } of held.chunks) answer();
    expect((await given).map(({ account_id }) => account_id)).toEqual([one, 'b', other, 'c']);
  });
});

describe('a chunk that fails', () => {
  const cutAmidAnswer: Answer = async (request, response) => {
    const answer = importAnswer(await recordsOf(request));
    response.writeHead(200).write(answer.slice(0, 90), () => response.destroy());
  };
  const withoutSummary: Answer = async (request, response) => {
    const [first] = importAnswer(await recordsOf(request)).split('\n');
    response.writeHead(200).end(`${first}\n`);
  };
  const incomplete: Answer = async (request, response) => {
    const records = await recordsOf(request);
    const problem = { is_complete: false, problem: 'The database does not answer.' };
    response.writeHead(200).end(importAnswer(records.slice(0, 1), problem));
  };

  it('in passing is sent again', async () => {
    const failing = [cut, json(503, {}), cutAmidAnswer, withoutSummary, incomplete];
    server = await ScriptedServer.start([...failing, importing]);
    expect(await all(server.client().upsertMany(accounts(2)))).toEqual(results(2));
    expect(server.seen).toEqual(Array(6).fill(POST));
  });

  it('for good ends the run, after the results of the chunks before it', async () => {
    const refused = json(401, { success: false, error: 'Unauthenticated.', status: 403 });
    const refusing: Answer = (request, response) =>
      server.seen.length === 1 ? importing(request, response) : refused(request, response);
    server = await ScriptedServer.start([refusing]);
    const sending = server.client().upsertMany(accounts(9), { chunkSize: 2, concurrency: 1 });
    expect((await sending.next()).value).toEqual(resultOf(0));
    expect((await sending.next()).value).toEqual(resultOf(1));
    await expect(sending.next()).rejects.toBeInstanceOf(UnauthenticatedError);
    expect(await sending.next()).toEqual({ done: true, value: undefined });
  });
});

describe('the end of a run', () => {
  it('closes the source and the requests under way when the caller leaves', async () => {
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

  it('is the failure of the source, after the results of what came before', async () => {
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
