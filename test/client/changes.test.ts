import { type Change, ForbiddenError, UnavailableError, UnexpectedAnswerError } from '@account-sync/client';
import { afterEach, describe, expect, it } from 'vitest';
import {
  all,
  cut,
  gate,
  json,
  overloaded,
  problem,
  type RequestHandler,
  ScriptedServer,
} from './scripted-server.js';

let server: ScriptedServer;
afterEach(() => server.stop());

const change = (number: number): Change => ({
  cursor: `0-${number}`,
  account_id: 'acme',
  revision: number,
  kind: number === 1 ? 'created' : 'updated',
  at: '2026-05-31T10:20:30.000Z',
  request_id: `r${number}`,
  key_id: 'k1',
  user: null,
  source: 'crm',
  run_id: '1',
  is_erased: false,
  changes: [{ field: 'name', from: null, to: 'Two\u2028lines: "\n"' }],
});
const event = (number: number) =>
  `event: change\nid: 0-${number}\ndata: ${JSON.stringify(change(number))}\n\n`;

/** Streams the text as server-sent events; then the connection ends, is cut, or stays open. */
function feed(text: string, end: 'end' | 'cut' | 'stay' = 'stay', left?: () => void): RequestHandler {
  return (_request, response) => {
    if (left !== undefined) response.on('close', left);
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(text, () => {
      if (end === 'end') response.end();
      if (end === 'cut') response.destroy();
    });
  };
}

/** The first `count` changes. */
async function take(count: number, changes: AsyncIterable<Change>): Promise<Change[]> {
  const taken: Change[] = [];
  for await (const next of changes) {
    taken.push(next);
    if (taken.length === count) break;
  }
  return taken;
}

describe('reading the existing changes', () => {
  it('reads page by page up to the end of the feed', async () => {
    server = await ScriptedServer.start([
      json(200, { data: [change(1), change(2)], next: '0-2' }),
      json(200, { data: [], next: '0-5' }),
      json(200, { data: [change(6)], next: '0-6' }),
      json(200, { data: [], next: '0-6' }),
    ]);
    expect(await all(server.client().changes())).toEqual([change(1), change(2), change(6)]);
    expect(server.seen).toEqual([
      'GET /api/v2/changes?limit=1000',
      'GET /api/v2/changes?after=0-2&limit=1000',
      'GET /api/v2/changes?after=0-5&limit=1000',
      'GET /api/v2/changes?after=0-6&limit=1000',
    ]);
  });

  it('starts with the latest changes with `last`', async () => {
    server = await ScriptedServer.start([
      json(200, { data: [change(8), change(9)], next: '0-9' }),
      json(200, { data: [], next: '0-9' }),
    ]);
    expect(await all(server.client().changes({ last: 2 }))).toEqual([change(8), change(9)]);
    expect(server.seen).toEqual(['GET /api/v2/changes?last=2', 'GET /api/v2/changes?after=0-9&limit=1000']);
  });

  it('starts after a cursor, and retries after a failed connection', async () => {
    server = await ScriptedServer.start([cut, json(200, { data: [], next: '0-9' })]);
    expect(await all(server.client().changes({ after: '0-9' }))).toEqual([]);
    expect(server.seen).toEqual(Array(2).fill('GET /api/v2/changes?after=0-9&limit=1000'));
  });
});

describe('following changes', () => {
  it('continues after the last change when the connection is cut, ends, or is rejected for a while', async () => {
    const half = event(3).slice(0, 40);
    server = await ScriptedServer.start([
      feed(`:hello\n\n${event(1)}${event(2)}${half}`, 'cut'),
      overloaded,
      cut,
      feed(`${event(3)}: heartbeat\n\n`, 'end'),
      feed('', 'end'),
      feed(event(4)),
    ]);
    const client = server.client({ retries: 0 });
    expect(await take(4, client.changes({ follow: true }))).toEqual([1, 2, 3, 4].map(change));
    expect(server.seen).toEqual([
      'GET /api/v2/changes',
      'GET /api/v2/changes?after=0-2',
      'GET /api/v2/changes?after=0-2',
      'GET /api/v2/changes?after=0-2',
      'GET /api/v2/changes?after=0-3',
      'GET /api/v2/changes?after=0-3',
    ]);
  });

  it('parses events in pieces of any size, with either line end', async () => {
    const bytes = Buffer.from((event(1) + event(2)).replaceAll('\n', '\r\n'));
    server = await ScriptedServer.start([
      async (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
        for (const byte of bytes) {
          await new Promise((resolve) => {
            response.write(Buffer.of(byte), resolve);
          });
        }
      },
    ]);
    expect(await take(2, server.client().changes({ follow: true }))).toEqual([change(1), change(2)]);
  });

  it('starts with the latest changes, and continues after them', async () => {
    server = await ScriptedServer.start([
      json(200, { data: [change(6), change(7)], next: '0-7' }),
      feed(': heartbeat\n\n', 'cut'),
      feed(event(8)),
    ]);
    expect(await take(3, server.client().changes({ last: 2, follow: true }))).toEqual([6, 7, 8].map(change));
    expect(server.seen).toEqual([
      'GET /api/v2/changes?last=2',
      'GET /api/v2/changes?after=0-7',
      'GET /api/v2/changes?after=0-7',
    ]);
  });

  it('keeps its start with `latest` if the connection is cut before the first change', async () => {
    server = await ScriptedServer.start([
      json(200, { data: [], next: '0-7' }),
      feed(': heartbeat\n\n', 'cut'),
      feed(event(8)),
    ]);
    expect(await take(1, server.client().changes({ after: 'latest', follow: true }))).toEqual([change(8)]);
    expect(server.seen).toEqual([
      'GET /api/v2/changes?after=latest&limit=1000',
      'GET /api/v2/changes?after=0-7',
      'GET /api/v2/changes?after=0-7',
    ]);
  });

  it('reconnects when a connection is silent', async () => {
    const left = gate();
    server = await ScriptedServer.start([feed(event(1), 'stay', left.open), feed(event(2))]);
    const changes = server.client().changes({ follow: true, silenceMs: 500 });
    expect(await take(2, changes)).toEqual([change(1), change(2)]);
    await left.opened;
  });

  it('closes the connection when the caller leaves the loop', async () => {
    const left = gate();
    server = await ScriptedServer.start([feed(event(1), 'stay', left.open)]);
    expect(await take(1, server.client().changes({ follow: true }))).toEqual([change(1)]);
    await left.opened;
  });

  it('ends with the signal, while a connection is silent and while it waits to reconnect', async () => {
    const waiting = new AbortController();
    server = await ScriptedServer.start([
      feed(event(1)),
      feed('', 'end'),
      (request, response) => {
        response.on('close', () => setImmediate(() => waiting.abort('later')));
        return json(503, {}, { 'retry-after': '60' })(request, response);
      },
    ]);
    const silence = new AbortController();
    const changes = server.client().changes({ follow: true, signal: silence.signal });
    expect((await changes.next()).value).toEqual(change(1));
    const next = changes.next();
    silence.abort('enough');
    await expect(next).rejects.toBe('enough');
    await expect(all(server.client().changes({ follow: true, signal: waiting.signal }))).rejects.toBe(
      'later',
    );
  });

  it('fails if the key lacks a scope, if no connection ever worked, and if the response is no stream', async () => {
    server = await ScriptedServer.start([
      problem(403, 'forbidden', 'This key lacks the scope read.'),
      cut,
      cut,
      json(200, { data: [], next: '0-0' }),
    ]);
    const client = server.client({ retries: 1 });
    await expect(all(client.changes({ follow: true }))).rejects.toBeInstanceOf(ForbiddenError);
    await expect(all(client.changes({ follow: true }))).rejects.toBeInstanceOf(UnavailableError);
    await expect(all(client.changes({ follow: true }))).rejects.toBeInstanceOf(UnexpectedAnswerError);
    expect(server.seen).toEqual(Array(4).fill('GET /api/v2/changes'));
  });

  it('fails if no connection works within `retryForMs`, and reports each wait', async () => {
    server = await ScriptedServer.start([cut]);
    let waits = 0;
    const client = server.client({ retryForMs: 300, onRetry: () => waits++ });
    await expect(all(client.changes({ follow: true }))).rejects.toBeInstanceOf(UnavailableError);
    expect(waits).toBe(server.seen.length - 1);
  });
});
