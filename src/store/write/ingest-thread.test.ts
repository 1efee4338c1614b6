import { Worker } from 'node:worker_threads';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ThreadHangs } from '../errors.js';
import { StoreObservers } from '../observer.js';
import { IngestThread } from './ingest-thread.js';
import { WriteBacklog } from './write-backlog.js';

const SETTINGS = {
  accountIds: 'any',
  undeclaredFields: 'keep',
  attributes: [],
  blockedPatterns: [],
  trackedSources: [],
} as const;

/** A thread that handles each call with this code, in which `reply(id, outcome)` sends a reply. */
function threadThat(onCall: string, { onExit, pingMs }: { onExit?: () => void; pingMs?: number } = {}) {
  const code = `
    const { parentPort } = require('node:worker_threads');
    const reply = (id, outcome) => parentPort.postMessage({ replies: [[id, outcome]] });
    const tenants = [];
    parentPort.on('message', (call) => { ${onCall} });`;
  const workers: Worker[] = [];
  let failures = 0;
  const observers = new StoreObservers();
  observers.observers.push({
    databaseFailed() {
      failures += 1;
    },
  });
  const backlog = new WriteBacklog({ records: 100, bytes: 1_000 });
  const thread = new IngestThread({
    spawn: () => {
      const worker = new Worker(code, { eval: true });
      workers.push(worker);
      return worker;
    },
    backlog,
    maxBatch: 5_000,
    observers,
    ...(pingMs !== undefined && { pingMs }),
    ...(onExit && { onExit }),
  });
  onTestFinished(async () => {
    await Promise.all(workers.map((worker) => worker.terminate()));
  });
  const receive = (tenantId: number, body = 'x', settings = SETTINGS) =>
    thread.receive({
      kind: 'account',
      tenantId,
      settings,
      senderId: 'k',
      source: 's',
      isMirrored: false,
      requestId: 'r',
      at: 1,
      body: Buffer.from(body),
    });
  return { thread, receive, backlog, spawned: () => workers.length, failures: () => failures };
}

const STORED = `{ counts: { created: 1, updated: 0, unchanged: 0, archived: 0, restored: 0, deleted: 0 }, records: 1 }`;

describe('IngestThread', () => {
  it('fails the requests of a thread that ends, and starts another for the next', async () => {
    const { receive, backlog, spawned, failures } = threadThat(`
      for (const { id, tenantId } of call.requests ?? []) {
        if (tenantId === 2) process.exit(1);
        if (tenantId === 3) reply(id, ${STORED});
      }`);
    const lost = await Promise.allSettled([receive(1), receive(2)]);
    expect(lost.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect([backlog.records, failures(), spawned()]).toEqual([0, 1, 1]);
    expect(await receive(3)).toMatchObject({ records: 1 });
    expect(spawned()).toBe(2);
  });

  it('reports that a thread has ended, unless it was closed', async () => {
    let exits = 0;
    const { thread, receive } = threadThat(
      `if (call.end) parentPort.close(); else if (call.requests) process.exit(1);`,
      {
        onExit: () => {
          exits += 1;
        },
      },
    );
    await receive(1).catch(() => {});
    expect(exits).toBe(1);
    thread.start();
    await thread.close();
    expect(exits).toBe(1);
  });

  it('gives the error of a thread as the cause', async () => {
    const { receive } = threadThat(`throw new Error('it broke')`);
    await expect(receive(1)).rejects.toMatchObject({ cause: { message: 'it broke' } });
  });

  it('rejects a ping if the thread hangs', async () => {
    const { thread, receive } = threadThat('while (true);', { pingMs: 100 });
    const ended = expect(receive(1)).rejects.toThrow('The ingest thread ended.');
    await expect(thread.ping()).rejects.toThrow(ThreadHangs);
    thread.abandon();
    await ended;
  });

  it('resolves a ping if the thread replies, even late', async () => {
    const { thread, receive } = threadThat(`
      if (call.ping) reply(call.id, { done: true });
      for (const { id } of call.requests ?? []) {
        const end = Date.now() + 300;
        while (Date.now() < end);
        reply(id, ${STORED});
      }`);
    await thread.ping();
    const working = receive(1);
    await thread.ping();
    await working;
    await thread.ping();
  });

  it('sends the settings of a tenant once, again when they change, and to a new thread', async () => {
    const { receive } = threadThat(`
      if (call.settings) tenants.push(call.tenantId);
      for (const { id, tenantId } of call.requests ?? []) {
        if (tenantId === 9) process.exit(1);
        reply(id, { counts: tenants });
      }`);
    await receive(1);
    expect(await receive(1)).toEqual({ counts: [1] });
    expect(await receive(2)).toEqual({ counts: [1, 2] });
    expect(await receive(1, 'x', { ...SETTINGS })).toEqual({ counts: [1, 2, 1] });
    await receive(9).catch(() => {});
    expect(await receive(2)).toEqual({ counts: [2] });
  });

  it('sends the bodies of requests of one turn together', async () => {
    const { receive } = threadThat(`
      const bodies = Buffer.from(call.bodies ?? []).toString();
      for (const { id, bytes } of call.requests ?? []) reply(id, { counts: [bytes, bodies] });`);
    const replies = await Promise.all(['a', 'bc', '', 'd'].map((body) => receive(1, body)));
    // The first one goes at once, because the thread is idle.
    expect(replies).toEqual([
      { counts: [1, 'a'] },
      { counts: [2, 'bcd'] },
      { counts: [0, 'bcd'] },
      { counts: [1, 'bcd'] },
    ]);
  });
});
