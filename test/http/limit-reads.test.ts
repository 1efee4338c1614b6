import { once } from 'node:events';
import { fastify } from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import type { Principal } from '../../dist/http/auth/principals.js';
import '../../dist/http/request-context.js';
import type { HttpError } from '../../dist/http/errors.js';
import { limitEdits, limitReads } from '../../dist/http/v2/limit-reads.js';
import { head, RawConnection } from '../support/raw-connection.js';

const MAX = 2;
const MAX_WAITING = 3;
const STREAM = { accept: 'text/event-stream' };

/** A server whose handlers finish when the test decides; a path that starts with /broken fails then. */
function start() {
  const app = fastify();
  const begun: string[] = [];
  const finish = new Map<string, () => void>();
  app.decorateRequest('principal', null);
  app.addHook('onRequest', async (request) => {
    request.principal = { tenant: { id: Number(request.headers.tenant ?? 1) } } as Principal;
  });
  limitReads(app, MAX, MAX_WAITING);
  limitEdits(app, MAX, MAX_WAITING);
  const handler = async ({ url }: { url: string }) => {
    const name = url.slice(1);
    begun.push(name);
    await new Promise<void>((resolve) => finish.set(name, resolve));
    if (name.startsWith('broken')) throw new Error(name);
    return name;
  };
  app.route({ method: ['GET', 'POST'], url: '/:name', handler });
  app.patch('/:name', { config: { operation: 'patch-account' } }, handler);
  app.get('/stream', { config: { operation: 'get-changes' } }, handler);
  const ask = (name: string, method: 'GET' | 'HEAD' | 'POST' | 'PATCH' = 'GET', headers = {}) =>
    app.inject({ method, url: `/${name}`, headers }).then(({ statusCode }) => statusCode);
  return { app, begun, ask, end: (name: string) => finish.get(name)?.() };
}

it('runs a limited number of reads; the next starts, in order, when one finishes or fails', async () => {
  const { begun, ask, end } = start();
  const [a, broken, c, d] = ['a', 'broken', 'c', 'd'].map((name) => ask(name));
  await expect.poll(() => begun).toEqual(['a', 'broken']);
  end('a');
  expect(await a).toBe(200);
  await expect.poll(() => begun).toEqual(['a', 'broken', 'c']);
  end('broken');
  expect(await broken).toBe(500);
  await expect.poll(() => begun).toEqual(['a', 'broken', 'c', 'd']);
  for (const name of ['c', 'd']) end(name);
  expect(await Promise.all([c, d])).toEqual([200, 200]);
});

it('limits reads that request a stream from another operation, and HEAD requests', async () => {
  const { begun, ask, end } = start();
  const reads = [ask('a'), ask('b'), ask('c', 'GET', STREAM), ask('d', 'HEAD')];
  await expect.poll(() => begun).toEqual(['a', 'b']);
  for (const name of ['a', 'b']) end(name);
  await expect.poll(() => begun).toEqual(['a', 'b', 'c', 'd']);
  for (const name of ['c', 'd']) end(name);
  expect(await Promise.all(reads)).toEqual([200, 200, 200, 200]);
});

it('releases a failed read before its response is sent', async () => {
  const { app, begun, ask, end } = start();
  let answer = () => {};
  app.setErrorHandler(async (_error, _request, reply) => {
    await new Promise<void>((resolve) => {
      answer = resolve;
    });
    return reply.code(500).send('');
  });
  const reads = ['broken', 'b', 'c'].map((name) => ask(name));
  await expect.poll(() => begun).toEqual(['broken', 'b']);
  end('broken');
  await expect.poll(() => begun).toEqual(['broken', 'b', 'c']);
  answer();
  for (const name of ['b', 'c']) end(name);
  expect(await Promise.all(reads)).toEqual([500, 200, 200]);
});

it('does not delay writes and streams', async () => {
  const { begun, ask, end } = start();
  const reads = ['a', 'b', 'c'].map((name) => ask(name));
  const others = [ask('write', 'POST'), ask('stream', 'GET', STREAM)];
  await expect.poll(() => begun).toEqual(['a', 'b', 'write', 'stream']);
  for (const name of ['write', 'stream']) end(name);
  expect(await Promise.all(others)).toEqual([200, 200]);
  expect(begun).not.toContain('c');
  for (const name of ['a', 'b']) end(name);
  await expect.poll(() => begun).toContain('c');
  end('c');
  expect(await Promise.all(reads)).toEqual([200, 200, 200]);
});

it('serves tenants in round-robin order', async () => {
  const { begun, ask, end } = start();
  const first = ['a', 'b', 'c', 'd', 'e'].map((name) => ask(name));
  await expect.poll(() => begun).toEqual(['a', 'b']);
  const others = ['x', 'y'].map((name) => ask(name, 'GET', { tenant: '2' }));
  for (const name of ['a', 'b', 'c', 'x', 'd', 'y', 'e']) {
    await expect.poll(() => begun).toContain(name);
    end(name);
  }
  expect(await Promise.all([...first, ...others])).toEqual(Array(7).fill(200));
  expect(begun).toEqual(['a', 'b', 'c', 'x', 'd', 'y', 'e']);
});

it('does not start a read whose client has disconnected', async () => {
  const { app, begun, ask, end } = start();
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => app.close());
  const reads = ['a', 'b'].map((name) => ask(name));
  await expect.poll(() => begun).toEqual(['a', 'b']);
  const heard = once(app.server, 'request');
  const caller = await RawConnection.open(url);
  caller.send(head('GET /left', 'Host: a'));
  const [, response] = await heard;
  const closed = once(response, 'close');
  caller.close();
  await closed;
  reads.push(ask('c'));
  end('a');
  await expect.poll(() => begun).toEqual(['a', 'b', 'c']);
  for (const name of ['b', 'c']) end(name);
  expect(await Promise.all(reads)).toEqual([200, 200, 200]);
});

it('rejects a read with 503 if too many of its tenant wait', async () => {
  const { app, begun, ask, end } = start();
  app.setErrorHandler((error: HttpError, _request, reply) => reply.code(error.status).send(error.message));
  const reads = Array.from({ length: MAX + MAX_WAITING + 1 }, (_, i) => ask(`read-${i}`));
  expect(await reads.pop()).toBe(503);
  const other = ask('other', 'GET', { tenant: '2' });
  for (let i = 0; i <= reads.length; i += 1) {
    await expect.poll(() => begun.length).toBeGreaterThan(i);
    end(begun[i] ?? '');
  }
  expect(await Promise.all([...reads, other])).toEqual(Array(reads.length + 1).fill(200));
});

it('limits edits, beside reads', async () => {
  const { app, begun, ask, end } = start();
  const reads = [ask('a'), ask('b')];
  const edits = ['c', 'd', 'e', 'f', 'g'].map((name) => ask(name, 'PATCH'));
  await expect.poll(() => begun).toEqual(['a', 'b', 'c', 'd']);
  const refused = await app.inject({ method: 'PATCH', url: '/h' });
  expect([refused.statusCode, refused.json().code]).toEqual([503, 'write_queue_full']);
  for (const name of ['a', 'b']) end(name);
  expect(await Promise.all(reads)).toEqual([200, 200]);
  expect(begun).toEqual(['a', 'b', 'c', 'd']);
  for (const name of ['c', 'd']) end(name);
  await expect.poll(() => begun).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  for (const name of ['e', 'f']) end(name);
  await expect.poll(() => begun).toHaveLength(7);
  end('g');
  expect(await Promise.all(edits)).toEqual([200, 200, 200, 200, 200]);
});
