import { EventEmitter, once } from 'node:events';
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { openStore } from '../../dist/store/open-store.js';
import { databases } from '../support/databases.js';
import { problem, type Tenant, useServer } from './v2-server.js';

interface ChangeEvent {
  readonly id: string;
  readonly account: string;
}

/** One open stream, with the text received so far. */
class Stream {
  text = '';
  readonly ended: Promise<unknown>;

  private constructor(
    readonly sent: ClientRequest,
    readonly answer: IncomingMessage,
  ) {
    answer.setEncoding('utf8').on('data', (chunk) => {
      this.text += chunk;
    });
    answer.on('error', () => {});
    this.ended = new Promise((resolve) => answer.once('close', resolve));
  }

  static async open(tenant: Tenant, port: number, path = '', headers = {}, agent?: Agent): Promise<Stream> {
    const sent = request({
      port,
      path: `/api/v2/changes${path}`,
      headers: {
        authorization: `Bearer ${tenant.key}`,
        accept: 'text/event-stream',
        'x-request-id': 'r',
        ...headers,
      },
      ...(agent && { agent }),
    });
    sent.on('error', () => {});
    sent.end();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    return new Stream(sent, answer);
  }

  get events(): ChangeEvent[] {
    const events = this.text.split('\n\n').filter((event) => event.startsWith('event: change\n'));
    return events.map((event) => {
      const [, id, data] = /^event: change\nid: (\S+)\ndata: (.*)$/.exec(event) ?? [];
      const body = JSON.parse(data ?? '');
      expect(body.cursor).toBe(id);
      return { id: id ?? '', account: body.account_id };
    });
  }

  /** Resolves when changes of exactly these accounts have been received. */
  async received(...accounts: string[]): Promise<void> {
    await vi.waitFor(() => expect(this.events.length).toBeGreaterThanOrEqual(accounts.length), {
      timeout: 30_000,
      interval: 10,
    });
    expect(this.events.map(({ account }) => account)).toEqual(accounts);
  }

  close(): void {
    this.sent.destroy();
  }
}

describe.each(databases)('a stream of changes on %s', (name, createDatabase) => {
  const server = useServer(createDatabase);
  let port: number;
  const streams: Stream[] = [];
  beforeAll(async () => {
    port = Number(new URL(await server.app.listen({ host: '127.0.0.1', port: 0 })).port);
  });
  afterEach(() => {
    for (const stream of streams.splice(0)) stream.close();
    vi.restoreAllMocks();
  });

  const open = async (...args: Parameters<typeof Stream.open>) => {
    const stream = await Stream.open(...args);
    streams.push(stream);
    return stream;
  };

  it('delivers changes, resumes without gap or repeat, and ends with its key', async () => {
    const acme = await server.tenant();
    const other = await server.tenant();
    await acme.sync({ account_id: 'a' });
    const stream = await open(acme, port);
    expect(stream.answer.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-request-id': 'r',
    });
    await stream.received('a');
    await acme.sync({ account_id: 'b' });
    await other.sync({ account_id: 'not ours' });
    await acme.sync({ account_id: 'c' });
    await stream.received('a', 'b', 'c');
    const [first, , last] = stream.events as [ChangeEvent, ChangeEvent, ChangeEvent];
    stream.close();
    await acme.sync({ account_id: 'd' });
    const resumed = await open(acme, port, '?after=0~0', { 'last-event-id': first.id });
    await resumed.received('b', 'c', 'd');
    const after = await open(acme, port, `?after=${last.id}`);
    await after.received('d');
    const lastOnes = await open(acme, port, '?last=2');
    await lastOnes.received('c', 'd');
    const latest = await open(acme, port, '?after=latest');
    await acme.call('DELETE', '/accounts/d');
    await latest.received('d');
    await lastOnes.received('c', 'd', 'd');
    await server.store.directory.keys.revoke(acme.id, acme.keyId, server.now);
    await Promise.all([resumed.ended, after.ended, latest.ended]);
    expect(latest.events).toHaveLength(1);
  }, 20_000);

  it.runIf(name === 'PostgreSQL')('delivers changes of another process', async () => {
    const acme = await server.tenant();
    const stream = await open(acme, port);
    const process = await openStore({ database: server.databaseUrl });
    for (const accountId of ['a', 'b']) {
      const patches = [{ accountId, fields: {} }];
      await process.upsert({ tenantId: acme.id, patches, requestId: 'r', senderId: 'k', at: 1, bytes: 1 });
    }
    await stream.received('a', 'b');
    await process.close();
  });

  it('is limited to a hundred per tenant; a closed one frees its place', async () => {
    const acme = await server.tenant();
    const other = await server.tenant();
    const all = await Promise.all(Array.from({ length: 100 }, () => open(acme, port)));
    const rejected = await acme.get('/changes', { accept: 'text/event-stream' });
    expect([rejected.status, rejected.headers['retry-after'], rejected.body]).toEqual([
      429,
      '10',
      problem(429, 'too_many_streams', '100 streams are open for this tenant: close one first.'),
    ]);
    expect((await open(other, port)).answer.statusCode).toBe(200);
    expect((await acme.get('/changes')).status).toBe(200);
    all[0]?.close();
    await vi.waitFor(async () => expect((await open(acme, port)).answer.statusCode).toBe(200), {
      timeout: 30_000,
    });
  }, 20_000);

  it('does not count for clients that disconnect before it opens', async () => {
    const acme = await server.tenant();
    const { feed } = server.store;
    const read = feed.end.bind(feed);
    const clients = new EventEmitter();
    const disconnected = once(clients, 'disconnected');
    const end = vi.spyOn(feed, 'end').mockImplementation(async (tenantId) => {
      await disconnected;
      return read(tenantId);
    });
    const head = [
      'GET /api/v2/changes?after=latest HTTP/1.1',
      'Host: a',
      `Authorization: Bearer ${acme.key}`,
    ];
    const sockets = Array.from({ length: 100 }, () => {
      const socket = connect(port, '127.0.0.1');
      return socket.setNoDelay().on('error', () => {});
    });
    for (const socket of sockets)
      socket.write(`${[...head, 'Accept: text/event-stream', '', ''].join('\r\n')}`);
    await vi.waitFor(() => expect(end).toHaveBeenCalledTimes(100), { timeout: 30_000 });
    for (const socket of sockets) socket.destroy();
    const connections = () =>
      new Promise((resolve) => server.app.server.getConnections((_error, n) => resolve(n)));
    await vi.waitFor(async () => expect(await connections()).toBe(0), { timeout: 30_000 });
    clients.emit('disconnected');
    expect((await open(acme, port, '?after=latest')).answer.statusCode).toBe(200);
  }, 20_000);

  it('waits for a slow reader, and buffers nothing for it', async () => {
    const acme = await server.tenant();
    const patches = Array.from({ length: 2_000 }, (_, i) => ({
      accountId: `a-${10_000 + i}`,
      fields: { custom_Long: 'x'.repeat(8_000) },
    }));
    await server.store.upsert({ tenantId: acme.id, patches, requestId: 'r', senderId: 'k', at: 1, bytes: 1 });
    const page = vi.spyOn(server.store.feed, 'page');
    const socket = connect(port, '127.0.0.1');
    const head = ['GET /api/v2/changes HTTP/1.1', 'Host: a', `Authorization: Bearer ${acme.key}`];
    socket.pause();
    socket.write(`${[...head, 'Accept: text/event-stream', '', ''].join('\r\n')}`);
    await expect.poll(() => page).toHaveBeenCalled();
    await acme.get('/accounts?limit=1');
    // Of forty pages it reads only as many as fit into the socket buffers.
    await acme.sync({ account_id: 'later' });
    await vi.waitFor(async () => expect((await acme.get('/stats')).body.accounts).toBe(2_001), {
      timeout: 30_000,
    });
    // Only pages of the stream: the statistics read the feed, too, in pages of another size.
    const pagesRead = () => page.mock.calls.filter(([, , limit]) => limit === 50).length;
    const before = pagesRead();
    expect(before).toBeLessThan(40);
    let received = 0;
    socket.on('data', (chunk) => {
      received += chunk.length;
    });
    socket.resume();
    await vi.waitFor(() => expect(received).toBeGreaterThan(16_000_000), { timeout: 30_000 });
    expect(pagesRead()).toBeGreaterThan(before);
    socket.destroy();
  }, 30_000);

  it('ends immediately when the server closes, also for a client that reconnects on the same connection', async () => {
    const acme = await server.tenant();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const stream = await open(acme, port, '', {}, agent);
    const again = stream.ended.then(() => Stream.open(acme, port, '', {}, agent).catch(() => undefined));
    await server.app.close();
    await stream.ended;
    await (await again)?.ended;
    agent.destroy();
  }, 10_000);
});
