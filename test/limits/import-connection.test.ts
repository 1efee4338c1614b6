import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { asLines, importBody, JSON_ARRAY, NDJSON, openImport, post } from '../http/import-request.js';
import { ImportServer } from '../http/import-server.js';
import { RunningServer } from '../http/running-server.js';
import { databases } from '../support/databases.js';

const BROKEN = 'Something failed on our side; the log tells what, under the request id.';

describe.each(databases)('the connection of an import on %s', (_name, createDatabase) => {
  const server = new ImportServer(createDatabase);

  it('gets its response before the body ends, with the results of each group after it is stored', async () => {
    const target = await server.freshTarget();
    const request = openImport(target, NDJSON);
    request.write('{"account_id":"first"}\n');
    const [response] = await once(request, 'response');
    expect(response.statusCode).toBe(200);
    request.write(asLines(Array.from({ length: 199 }, (_, i) => ({ account_id: `a-${i}` }))));
    const [chunk] = await once(response, 'data');
    expect(String(chunk)).toContain('{"index":0,"account_id":"first","status":"created","changed":[]}\n');
    expect(await server.running.store.accounts.find(target.tenantId, 'first')).toBeDefined();
    request.end();
    await once(response.resume(), 'end');
  });

  it('applies settings that change meanwhile, and ends when its key is revoked', async () => {
    const target = await server.freshTarget();
    const { directory } = server.running.store;
    const request = openImport(target, NDJSON);
    const group = (stem: string) =>
      asLines(Array.from({ length: 200 }, (_, i) => ({ account_id: `${stem}-${i}` })));
    request.write(group('before'));
    const [response] = await once(request, 'response');
    let received = '';
    response.on('data', (chunk: Buffer) => {
      received += chunk;
    });
    const expectLine = (line: string) => expect.poll(() => received, { interval: 20 }).toContain(line);
    await expectLine('{"index":199,');
    await directory.blocked.add(target.tenantId, '*.blocked');
    // Caches are at most half a second old.
    await expect
      .poll(async () => (await post(target, NDJSON, '{"account_id":"x.blocked"}', '?dry_run=true')).text())
      .toContain('"failed":1');
    request.write(`{"account_id":"y.blocked"}\n${group('after')}`);
    await expectLine('{"index":200,"account_id":"y.blocked","status":"failed"');
    await directory.keys.revoke(target.tenantId, target.name, 1);
    await expect.poll(async () => (await post(target, NDJSON, '{}')).status).toBe(401);
    request.write(group('late'));
    await expectLine('"is_complete":false,"problem":"Record 401: The key is not live any more."');
    expect(await server.running.store.accounts.find(target.tenantId, 'late-0')).toBeUndefined();
    request.destroy();
  });

  it('that is interrupted has stored only whole records, and the server keeps working', async () => {
    const target = await server.freshTarget();
    const request = openImport(target, NDJSON);
    request.on('error', () => {});
    const record = (i: number) => ({ account_id: `a-${i}`, name: `Name ${i}`, licenses: i });
    request.write(asLines(Array.from({ length: 1_000 }, (_, i) => record(i))));
    request.write('{"account_id":"a-1000","name":"Na');
    const [response] = await once(request, 'response');
    response.on('error', () => {});
    const [chunk] = await once(response, 'data');
    const [received] = String(chunk).split('\n');
    expect(JSON.parse(received ?? '')).toMatchObject({ index: 0, status: 'created' });
    request.destroy();
    await expect
      .poll(() => server.running.log)
      .toContainEqual(expect.objectContaining({ msg: 'client disconnected during import' }));
    expect((await importBody(target, NDJSON, '{"account_id":"next"}')).summary.created).toBe(1);
    const ids = Array.from({ length: 1_001 }, (_, i) => `a-${i}`);
    const stored = await server.running.store.accounts.findAll(target.tenantId, ids);
    expect(stored.size).toBeGreaterThanOrEqual(200);
    expect(stored.has('a-1000')).toBe(false);
    for (const { accountId, fields } of stored.values()) {
      const { account_id, ...sent } = record(Number(accountId.slice(2)));
      expect([accountId, fields]).toEqual([account_id, sent]);
    }
  });

  it('waits for a client that does not read, and sends every line in the end', async () => {
    const target = await server.freshTarget();
    const connected = once(server.running.app.server, 'connection');
    const request = openImport(target, NDJSON);
    // The response is longer than the body, so that it fills all buffers between client and server.
    const bad = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`f${i}`, 2 ** 60]));
    const line = `${JSON.stringify({ account_id: 'a'.repeat(100), pad: 'x'.repeat(2_000), ...bad })}\n`;
    const records = 8_000;
    for (let i = 0; i < records; i += 1) request.write(line);
    request.end();
    const [response] = await once(request, 'response');
    const [socket] = await connected;
    await stalled(() => socket.bytesRead);
    expect(socket.bytesRead).toBeLessThan(records * line.length);
    let lines = 0;
    for await (const chunk of response) lines += String(chunk).split('\n').length - 1;
    expect(lines).toBe(records + 1);
  }, 60_000);

  it.each([
    ['is rejected', `{"account_id":"a","x":"${'x'.repeat(5_000_000)}"}`, 400],
    ['ends early', `[{"account_id":"a"} nonsense ${'x'.repeat(5_000_000)}`, 200],
  ])('that %s leaves its connection usable for the next request', async (_what, body, status) => {
    const { key } = await server.freshTarget();
    const socket = connect({ port: Number(new URL(server.url).port), host: '127.0.0.1' });
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    for (const each of [body, '[{"account_id":"b"}]']) {
      const head = ['POST /api/v2/accounts/import HTTP/1.1', 'Host: a', `Authorization: Bearer ${key}`];
      head.push(`Content-Type: ${JSON_ARRAY}`, `Content-Length: ${each.length}`);
      socket.write(`${head.join('\r\n')}\r\n\r\n${each}`);
    }
    const statuses = () => [...text.matchAll(/HTTP\/1.1 (\d+)/g)].map(([, code]) => Number(code));
    await expect.poll(statuses).toEqual([status, 200]);
    socket.destroy();
  });

  it('is rejected while twenty imports of its tenant are under way', async () => {
    const target = await server.freshTarget();
    const open = Array.from({ length: 20 }, () => openImport(target, NDJSON));
    await Promise.all(
      open.map(async (request) => {
        request.write('{"account_id":"a"}\n');
        await once(request, 'response');
      }),
    );
    const answer = await post(target, NDJSON, '{"account_id":"b"}\n');
    expect([answer.status, answer.headers.get('retry-after'), await answer.json()]).toEqual([
      429,
      '10',
      expect.objectContaining({
        type: 'urn:problem:account-sync:rate-limited',
        detail: '20 imports of this tenant are under way: wait until one has ended.',
      }),
    ]);
    expect((await post(await server.freshTarget(), NDJSON, '{"account_id":"b"}\n')).status).toBe(200);
    for (const request of open) {
      request.on('response', (response) => response.resume());
      request.end();
    }
    await expect.poll(async () => (await post(target, NDJSON, '{"account_id":"b"}\n')).status).toBe(200);
    for (const request of open) request.destroy();
  });

  it('that is ended by a stop of the server reports where to continue', async () => {
    const target = await server.freshTarget();
    const request = openImport(target, NDJSON);
    request.write('{"account_id":"a"}\n');
    const [response] = await once(request, 'response');
    let text = '';
    response.on('data', (chunk: Buffer) => {
      text += chunk;
    });
    // The client neither sends more nor ends the body.
    const ended = once(response, 'end');
    await server.running.stop();
    await ended;
    request.destroy();
    await server.start();
    const [summary] = text.trimEnd().split('\n').slice(-1);
    expect(JSON.parse(summary ?? '').summary).toMatchObject({
      records: 1,
      created: 1,
      is_complete: false,
      problem: 'Record 1: The service is stopping. Send this record and those behind it again.',
    });
  });
});

/** Resolves when a number has stopped changing. */
async function stalled(read: () => number): Promise<void> {
  let last = -1;
  let times = 0;
  await expect
    .poll(
      () => {
        const now = read();
        times = now === last ? times + 1 : 0;
        last = now;
        return times;
      },
      { interval: 50, timeout: 30_000 },
    )
    .toBeGreaterThan(20);
}

describe('an import', () => {
  let server: RunningServer;

  it('reports the records of a group as failed if the store fails, and ends', async () => {
    server = await RunningServer.start();
    const key = await server.addTenant('acme');
    const url = await server.app.listen({ host: '127.0.0.1', port: 0 });
    // Starts the thread that writes: it cannot start without the table.
    await importBody({ url, key }, NDJSON, asLines([{ account_id: 'first' }]));
    server.breakDatabase('drop table change_set');
    const body = asLines([{ account_id: 'A' }, { licenses: 'x' }, { account_id: 'b' }]);
    const { lines, summary } = await importBody({ url, key }, NDJSON, body);
    expect(lines).toEqual([
      { index: 0, account_id: 'a', status: 'failed', problem: BROKEN },
      { index: 1, account_id: null, status: 'failed', errors: expect.any(Object) },
      { index: 2, account_id: 'b', status: 'failed', problem: BROKEN },
    ]);
    expect(summary).toMatchObject({ records: 3, failed: 3, is_complete: false, problem: BROKEN });
    const [failure] = server.log.filter(({ msg }) => msg === 'import failed');
    const line = server.log.filter(({ msg }) => msg === 'request').at(-1);
    expect(failure).toMatchObject({ id: line?.id });
    expect(JSON.stringify(failure)).toContain('no such table');
    await server.stop();
  });

  it('keeps the order of its records while the write queue is full', async () => {
    // Half of the queue holds one chunk.
    server = await RunningServer.start({ store: { queueLimits: { records: 2_000, bytes: 1_000_000 } } });
    const key = await server.addTenant('acme');
    const url = await server.app.listen({ host: '127.0.0.1', port: 0 });
    const imports = ['a', 'b', 'c'].map((name) => {
      const records = Array.from({ length: 4_000 }, (_, i) => ({ account_id: `${name}-${i}`, licenses: i }));
      // Without a line break at the end, the last record ends with the body.
      return importBody({ url, key }, NDJSON, asLines(records).trimEnd());
    });
    for (const [i, { lines, summary }] of (await Promise.all(imports)).entries()) {
      expect(summary).toMatchObject({ records: 4_000, created: 4_000, is_complete: true });
      expect(lines.map(({ account_id }) => account_id)).toEqual(
        Array.from({ length: 4_000 }, (_, n) => `${'abc'[i]}-${n}`),
      );
    }
    await server.stop();
  });

  it('waits while the write queue is full', async () => {
    server = await RunningServer.start({ store: { queueLimits: { records: 1, bytes: 1_000 } } });
    const key = await server.addTenant('acme');
    const url = await server.app.listen({ host: '127.0.0.1', port: 0 });
    const imports = ['a', 'b', 'c', 'd'].map((name) => {
      const records = Array.from({ length: 900 }, (_, i) => ({ account_id: `${name}-${i}` }));
      return importBody({ url, key }, NDJSON, asLines(records));
    });
    for (const { summary } of await Promise.all(imports)) {
      expect(summary).toMatchObject({ records: 900, created: 900, is_complete: true });
    }
    await server.stop();
  });
});
