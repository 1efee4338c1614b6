import { fastify } from 'fastify';
import { expect, it } from 'vitest';
import type { Principal } from '../../dist/http/principals.js';
import '../../dist/http/request-context.js';
import { gateReads } from '../../dist/http/v2/gate-reads.js';

const MAX = 2;
const STREAM = { accept: 'text/event-stream' };

/** A server whose answers come when the test says so; a path that begins so fails instead. */
function start() {
  const app = fastify();
  const begun: string[] = [];
  const finish = new Map<string, () => void>();
  app.decorateRequest('principal', null);
  app.addHook('onRequest', async (request) => {
    request.principal = { tenant: { id: Number(request.headers.tenant ?? 1) } } as Principal;
  });
  gateReads(app, MAX);
  app.route({
    method: ['GET', 'POST'],
    url: '/:name',
    handler: async (request) => {
      const { name } = request.params as { name: string };
      begun.push(name);
      await new Promise<void>((resolve) => finish.set(name, resolve));
      if (name.startsWith('broken')) throw new Error(name);
      return name;
    },
  });
  const ask = (name: string, method: 'GET' | 'POST' = 'GET', headers = {}) =>
    app.inject({ method, url: `/${name}`, headers }).then(({ statusCode }) => statusCode);
  return { begun, ask, end: (name: string) => finish.get(name)?.() };
}

it('so many reads work at a time, the next begins when one is answered or fails, in their order', async () => {
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

it('writes and streams wait for no read', async () => {
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

it('tenants take turns', async () => {
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
