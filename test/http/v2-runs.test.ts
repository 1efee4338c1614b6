import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../support/databases.js';
import { finishRun, headersOf, importRecords, keyOf, openRun, run, upsert } from './run-requests.js';
import {
  at,
  eventually,
  invalid,
  NOON,
  problem,
  type Tenant,
  useServer,
  type V2Server,
} from './v2-server.js';

const MINUTE = 60_000;
const SILENCE = 5 * MINUTE;
const DAY = 86_400_000;

type Named = { readonly source: string };

/** Returns a function that counts the requests and changes so far, as the server does every second. */
function useCounting(server: V2Server): (tenant: Tenant) => Promise<unknown> {
  let other: Tenant;
  beforeAll(async () => {
    other = await server.tenant();
  });
  return async (tenant) => {
    // Finishing any run stores the counts of all requests.
    await finishRun(other, await openRun(other));
    await eventually(async () =>
      expect(await server.store.jobs.countChanges(tenant.id, server.now)).toBe(true),
    );
  };
}

describe.each(databases)('a run on %s', (name, createDatabase) => {
  const server = useServer(createDatabase);
  const count = useCounting(server);

  const show = async (tenant: Tenant, id: string) => (await tenant.get(`/runs/${id}`)).body;
  const list = async (tenant: Tenant, query = '') => (await tenant.get(`/runs?${query}`)).body.data;
  const ids = async (tenant: Tenant, query = '') =>
    (await list(tenant, query)).map(({ id }: { id: string }) => id);
  /** Changes appear in the feed after all transactions that began before them. */
  const changes = async (tenant: Tenant, count: number, query = '') => {
    await eventually(async () =>
      expect((await tenant.get(`/changes?${query}`)).body.data).toHaveLength(count),
    );
    return (await tenant.get(`/changes?${query}`)).body.data;
  };
  const accountIds = (entries: { account_id: string }[]) => entries.map(({ account_id }) => account_id);
  const accounts = async (tenant: Tenant) => accountIds((await tenant.get('/accounts')).body.data);

  it('gathers the requests that name it, with exact counts when it is finished', async () => {
    const acme = await server.tenant();
    server.now += 10;
    const opened = await acme.call('POST', '/runs');
    const { id } = opened.body;
    const first = { started_at: at(10), last_request_at: at(10) };
    expect([opened.status, opened.body]).toEqual([
      201,
      { ...run(acme, id, first), undone_by: null, fields: [] },
    ]);
    expect(id).toMatch(/^\d+$/);
    server.now += 10;
    const of = { run: id };
    await upsert(acme, { account_id: 'a', name: 'A', licenses: 1 }, of);
    await upsert(acme, { account_id: 'a', name: 'B', licenses: 1 }, of);
    await upsert(acme, { account_id: 'a', name: 'B' }, of);
    await upsert(acme, [{ account_id: 'a', licenses: 2 }, { account_id: 'b' }, { account_id: 'b' }], of);
    expect((await upsert(acme, [{ account_id: 'c' }, { account_id: 'd', licenses: 'x' }], of)).status).toBe(
      400,
    );
    expect((await upsert(acme, '{"account_id":', of)).status).toBe(400);
    const records = [{ account_id: 'e', name: 'E' }, { account_id: 'a', licenses: 'x' }, { account_id: 'b' }];
    expect((await importRecords(acme, [...records, { account_id: 'b', name: 'B' }], of)).status).toBe(200);
    server.now += 10;
    const finished = await finishRun(acme, id);
    const expected = run(acme, id, {
      ...first,
      state: 'finished',
      ended_at: at(30),
      last_request_at: at(20),
      requests: 7,
      failed_requests: 2,
      created: 3,
      updated: 3,
      unchanged: 3,
      rejected: 3,
    });
    const fields = [
      { field: 'name', changes: 4 },
      { field: 'licenses', changes: 2 },
    ];
    expect([finished.status, finished.body]).toEqual([200, { ...expected, undone_by: null, fields }]);
    expect(await show(acme, id)).toEqual({ ...expected, undone_by: null, fields });
    expect((await acme.get('/runs')).body).toEqual({ data: [expected], next: null });
    expect((await acme.get('/sources/default')).body).toMatchObject({
      last_finished_at: at(30),
      recent_runs: [expected],
    });
  });

  it('has exact counts also if many are finished at the same time', async () => {
    const acme = await server.tenant();
    const runs = await Promise.all(Array.from({ length: 10 }, () => openRun(acme)));
    const sent = (record: object) =>
      runs.map((run) => upsert(acme, { account_id: `of-${run}`, ...record }, { run }));
    for (const record of [{ name: 'A' }, { name: 'A' }, { licenses: 'x' }]) await Promise.all(sent(record));
    const answers = await Promise.all(runs.map(async (id) => (await finishRun(acme, id)).body));
    const counts = { requests: 3, failed_requests: 1, created: 1, unchanged: 1, rejected: 1 };
    expect(answers).toEqual(
      runs.map((id) => ({
        ...run(acme, id, { ...counts, state: 'finished', ended_at: at() }),
        undone_by: null,
        fields: [{ field: 'name', changes: 1 }],
      })),
    );
  });

  it.runIf(name === 'PostgreSQL')(
    'has exact counts also if a transaction hides changes for a while',
    async () => {
      const acme = await server.tenant();
      const id = await openRun(acme);
      const other = new pg.Client(server.databaseUrl);
      await other.connect();
      await other.query('begin');
      await other.query('select pg_current_xact_id()');
      await upsert(acme, { account_id: 'a', name: 'A' }, { run: id });
      const finishing = finishRun(acme, id);
      await Promise.race([finishing, setTimeout(300)]);
      await other.end();
      expect((await finishing).body).toEqual({
        ...run(acme, id, { state: 'finished', ended_at: at(), requests: 1, created: 1 }),
        undone_by: null,
        fields: [{ field: 'name', changes: 1 }],
      });
    },
  );

  it('is counted about a second later while it is open', async () => {
    const acme = await server.tenant();
    const id = await openRun(acme);
    await upsert(acme, { account_id: 'a', name: 'A' }, { run: id });
    await upsert(acme, { account_id: 'a', name: 'A' }, { run: id });
    await eventually(async () =>
      expect(await show(acme, id)).toEqual({
        ...run(acme, id, { requests: 2, created: 1, unchanged: 1 }),
        undone_by: null,
        fields: [{ field: 'name', changes: 1 }],
      }),
    );
  });

  it('counts an import whose caller disconnects as a failed request', async () => {
    const acme = await server.tenant();
    const id = await openRun(acme);
    const url = await server.app.listen({ host: '127.0.0.1', port: 0 });
    const stop = new AbortController();
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode('{"account_id":"a"}\n')),
    });
    const response = await fetch(`${url}/api/v2/accounts/import`, {
      method: 'POST',
      headers: { ...headersOf(acme, { run: id }), 'content-type': 'application/x-ndjson' },
      body,
      duplex: 'half',
      signal: stop.signal,
    } as RequestInit);
    await eventually(async () => expect(await accounts(acme)).toEqual(['a']));
    stop.abort();
    await response.text().catch(() => {});
    await eventually(async () =>
      expect(await show(acme, id)).toEqual({
        ...run(acme, id, { requests: 1, failed_requests: 1, created: 1 }),
        undone_by: null,
        fields: [],
      }),
    );
  });

  it('is not changed by a dry run', async () => {
    const acme = await server.tenant();
    const id = await openRun(acme);
    await importRecords(acme, [{ account_id: 'a' }], { run: id, query: '?dry_run=true' });
    await importRecords(acme, [{ account_id: 'a' }], { query: '?dry_run=true' });
    const { body } = await finishRun(acme, id);
    expect(body).toEqual({
      ...run(acme, id, { state: 'finished', ended_at: at() }),
      undone_by: null,
      fields: [],
    });
    expect(await ids(acme)).toEqual([id]);
  });

  describe('that has ended', () => {
    it.each([
      [undefined, 'finished', true],
      [false, 'finished', true],
      [true, 'abandoned', false],
    ] as const)('by abandon: %s is %s, and stays so', async (abandon, state, isSuccess) => {
      const acme = await server.tenant();
      const id = await openRun(acme);
      server.now += 5;
      const ended = { ...run(acme, id, { state, ended_at: at(5) }), undone_by: null, fields: [] };
      const answer = await finishRun(acme, id, { ...(abandon !== undefined && { abandon }) });
      expect([answer.status, answer.body]).toEqual([200, ended]);
      server.now += 5;
      const again = await finishRun(acme, id, { abandon: abandon === true });
      expect([again.status, again.body]).toEqual([200, ended]);
      const otherwise = await finishRun(acme, id, { abandon: abandon !== true });
      expect([otherwise.status, otherwise.body]).toEqual([
        409,
        problem(409, 'run_ended', `Run ${id} has ended. Open a new one.`),
      ]);
      expect(await show(acme, id)).toEqual(ended);
      expect((await acme.get('/sources/default')).body.last_finished_at).toBe(isSuccess ? at(5) : null);
    });

    it('takes no further request', async () => {
      const acme = await server.tenant();
      const id = await openRun(acme);
      await upsert(acme, { account_id: 'a' }, { run: id });
      const { body } = await finishRun(acme, id);
      const detail = `Run ${id} has ended. Open a new one.`;
      for (const late of [{ account_id: 'b' }, [{ account_id: 'b' }]]) {
        const answer = await upsert(acme, late, { run: id });
        expect([answer.status, answer.body]).toEqual([
          409,
          { success: false, errors: [detail], errors_by_attributes: [] },
        ]);
      }
      const answer = await importRecords(acme, [{ account_id: 'b' }], { run: id });
      expect([answer.status, answer.body]).toEqual([409, problem(409, 'run_ended', detail)]);
      expect(await accounts(acme)).toEqual(['a']);
      expect(await show(acme, id)).toEqual(body);
    });

    it('is abandoned by the service a day after its last request', async () => {
      const acme = await server.tenant();
      const id = await openRun(acme);
      server.now += 1_000;
      await upsert(acme, { account_id: 'a' }, { run: id });
      await count(acme);
      await server.store.jobs.endSilentRuns(NOON + 1_000 + DAY, SILENCE);
      expect(await show(acme, id)).toMatchObject({ state: 'open' });
      await server.store.jobs.endSilentRuns(NOON + 1_001 + DAY, SILENCE);
      expect(await show(acme, id)).toEqual({
        ...run(acme, id, { state: 'abandoned', requests: 1, created: 1, ended_at: at(1_000) }),
        last_request_at: at(1_000),
        undone_by: null,
        fields: [],
      });
      expect((await acme.get('/sources/default')).body.last_finished_at).toBeNull();
    });
  });

  it.each([
    [{ abandon: 'yes' }, { '/body/abandon': 'must be boolean' }],
    [{ abandon: null }, { '/body/abandon': 'must be boolean' }],
    [{ state: 'finished' }, { '/body/state': 'is not known here' }],
    [[], { '/body': 'must be object' }],
  ])('is not finished by %j', async (body, errors) => {
    const acme = await server.tenant();
    const id = await openRun(acme);
    const answer = await acme.call('POST', `/runs/${id}/finish`, body);
    expect([answer.status, answer.body]).toEqual([400, invalid(errors as Record<string, string>)]);
    expect(await show(acme, id)).toMatchObject({ state: 'open' });
  });

  describe('that a request cannot use', () => {
    /** The response of each operation that takes the header, without a record being stored. */
    const rejected = async (
      tenant: Tenant,
      sender: { run: string; key?: string },
      [status, code, detail]: [number, string, string],
    ) => {
      for (const records of [{ account_id: 'no' }, [{ account_id: 'no' }]]) {
        const answer = await upsert(tenant, records, sender);
        expect([answer.status, answer.body]).toEqual([
          status,
          { success: false, errors: [detail], errors_by_attributes: [] },
        ]);
      }
      const answer = await importRecords(tenant, [{ account_id: 'no' }], sender);
      expect([answer.status, answer.body]).toEqual([status, problem(status, code, detail)]);
      expect(await accounts(tenant)).toEqual([]);
      expect((await tenant.get('/changes')).body.data).toEqual([]);
    };

    it('does not exist, or belongs to another tenant', async () => {
      const [acme, other] = [await server.tenant(), await server.tenant()];
      const theirs = await openRun(other);
      // Used, so that the server knows it.
      await upsert(other, { account_id: 'a' }, { run: theirs });
      for (const id of ['999999999', theirs]) {
        const detail = `There is no run ${id}.`;
        await rejected(acme, { run: id }, [404, 'run_not_found', detail]);
        for (const answer of [await acme.get(`/runs/${id}`), await finishRun(acme, id)]) {
          expect([answer.status, answer.body]).toEqual([404, problem(404, 'run_not_found', detail)]);
        }
      }
      expect(await ids(acme)).toEqual([]);
      const { body } = await finishRun(other, theirs);
      expect(body).toEqual({
        ...run(other, theirs, { state: 'finished', ended_at: at(), requests: 1, created: 1 }),
        undone_by: null,
        fields: [],
      });
    });

    it('belongs to another source', async () => {
      const acme = await server.tenant();
      const crm = await keyOf(acme, 'crm');
      const id = await openRun(acme, crm.key);
      await upsert(acme, '{', { run: id, key: crm.key });
      const detail = `Run ${id} belongs to the source crm, and this key to default. Open a run with this key.`;
      await rejected(acme, { run: id }, [409, 'run_of_other_source', detail]);
      for (const abandon of [false, true]) {
        const answer = await finishRun(acme, id, { abandon });
        expect([answer.status, answer.body]).toEqual([409, problem(409, 'run_of_other_source', detail)]);
      }
      // Any key with the scope read sees it.
      expect(await show(acme, id)).toMatchObject({ id, source: 'crm', key_id: crm.id, state: 'open' });
      // Any key of the source may use it.
      const second = await acme.call('POST', '/keys', { scopes: ['sync'], source: 'crm' });
      expect((await upsert(acme, { account_id: 'a' }, { run: id, key: second.body.key })).status).toBe(200);
      expect((await finishRun(acme, id, { key: second.body.key })).body).toMatchObject({
        requests: 2,
        failed_requests: 1,
        created: 1,
        key_id: crm.id,
      });
    });

    it('is not named by its id', async () => {
      const acme = await server.tenant();
      const id = await openRun(acme);
      const hex = `0x${Number(id).toString(16)}`;
      const like = [hex, `${id}.0`, `${id}e0`, `+${id}`, `-${id}`, `${id}, ${id}`, `${id};`, `#${id}`];
      for (const text of ['', 'crm', '0', '-1', '9'.repeat(16), '9'.repeat(400), 'null', 'NaN', ...like]) {
        // Used within the last moments, so that the server knows the run.
        expect((await upsert(acme, '{', { run: id })).status).toBe(400);
        await rejected(acme, { run: text }, [404, 'run_not_found', `There is no run ${text.slice(0, 40)}.`]);
      }
      for (const text of ['crm', '0', '-1', '9'.repeat(16), hex, `${id}.0`]) {
        const detail = `There is no run ${text}.`;
        for (const answer of [await acme.get(`/runs/${text}`), await finishRun(acme, text)]) {
          expect([answer.status, answer.body]).toEqual([404, problem(404, 'run_not_found', detail)]);
        }
      }
      expect(await show(acme, id)).toMatchObject({ state: 'open' });
      expect(await ids(acme)).toEqual([id]);
    });
  });

  it('needs the scope sync to be opened and finished, and read to be seen', async () => {
    const acme = await server.tenant();
    const id = await openRun(acme);
    const [reader, sync] = [await acme.addKey(['read', 'admin']), await acme.addKey(['sync'])];
    const call = async (method: 'GET' | 'POST', path: string, key: string) => {
      const { status, body } = await acme.call(method, `/runs${path}`, undefined, headersOf(acme, { key }));
      return status < 400 ? status : body.code;
    };
    expect([
      await call('GET', '', reader),
      await call('GET', `/${id}`, reader),
      await call('POST', '', reader),
      await call('POST', `/${id}/finish`, reader),
    ]).toEqual([200, 200, 'scope_missing', 'scope_missing']);
    expect([
      await call('GET', '', sync),
      await call('GET', `/${id}`, sync),
      await call('POST', '', sync),
      await call('POST', `/${id}/finish`, sync),
    ]).toEqual(['scope_missing', 'scope_missing', 201, 200]);
  });

  describe('that no request names', () => {
    const implicit = { kind: 'implicit' };
    const expectRuns = async (tenant: Tenant, expected: object[]) => {
      await count(tenant);
      expect(await list(tenant)).toEqual(expected);
    };

    it('begins with the first request of a source, and goes on with those that follow soon', async () => {
      const acme = await server.tenant();
      await upsert(acme, { account_id: 'a', name: 'A' });
      server.now += SILENCE - 1;
      await upsert(acme, [{ account_id: 'a' }, { account_id: 'b' }]);
      server.now += SILENCE - 1;
      await importRecords(acme, [{ account_id: 'a', name: 'B' }, {}]);
      const [{ id }] = await list(acme);
      const last_request_at = at(2 * SILENCE - 2);
      const counts = { requests: 3, created: 2, updated: 1, unchanged: 1, rejected: 1 };
      await expectRuns(acme, [run(acme, id, { ...implicit, last_request_at, ...counts })]);
      expect((await show(acme, id)).fields).toEqual([{ field: 'name', changes: 2 }]);
    });

    it('ends after some minutes of silence, as finished', async () => {
      const acme = await server.tenant();
      await upsert(acme, { account_id: 'a' });
      const [{ id }] = await list(acme);
      const counts = { ...implicit, requests: 1, created: 1 };
      await expectRuns(acme, [run(acme, id, counts)]);
      await server.store.jobs.endSilentRuns(NOON + SILENCE, SILENCE);
      expect(await show(acme, id)).toMatchObject({ state: 'open' });
      await server.store.jobs.endSilentRuns(NOON + SILENCE + 1, SILENCE);
      const ended = run(acme, id, { ...counts, state: 'finished', ended_at: at() });
      expect(await list(acme)).toEqual([ended]);
      expect((await acme.get('/sources/default')).body).toMatchObject({ last_finished_at: at() });
      server.now += SILENCE + 1;
      await upsert(acme, { account_id: 'b' });
      const now = { started_at: at(SILENCE + 1), last_request_at: at(SILENCE + 1) };
      await expectRuns(acme, [run(acme, expect.any(String), { ...counts, ...now }), ended]);
      expect(new Set(await ids(acme)).size).toBe(2);
    });

    it('ends with the first request after the silence, even before the service notices', async () => {
      const acme = await server.tenant();
      await upsert(acme, { account_id: 'a' });
      const [old] = await list(acme);
      const counts = { ...implicit, requests: 1, created: 1 };
      await expectRuns(acme, [run(acme, old.id, counts)]);
      server.now += SILENCE + 1;
      await upsert(acme, { account_id: 'b' });
      const [next] = await list(acme);
      const now = { started_at: at(SILENCE + 1), last_request_at: at(SILENCE + 1) };
      await expectRuns(acme, [
        run(acme, next.id, { ...counts, ...now }),
        run(acme, old.id, { ...counts, state: 'finished', ended_at: at() }),
      ]);
      expect(accountIds(await changes(acme, 1, `run_id=${next.id}`))).toEqual(['b']);
    });

    it('is one for concurrent first requests, and one for each source and tenant', async () => {
      const [acme, other] = [await server.tenant(), await server.tenant()];
      const crm = await keyOf(acme, 'crm');
      const first = (tenant: Tenant, key?: string) =>
        Array.from({ length: 10 }, (_, i) => upsert(tenant, { account_id: `a-${i}` }, { key }));
      const answers = await Promise.all([...first(acme), ...first(acme, crm.key), ...first(other)]);
      expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
      await count(acme);
      const bySource = (await list(acme)).sort((a: Named, b: Named) => (a.source < b.source ? -1 : 1));
      const { created } = bySource.at(-1);
      const both = { ...implicit, requests: 10 };
      expect(bySource).toEqual([
        run(acme, expect.any(String), {
          ...both,
          source: 'crm',
          key_id: crm.id,
          created: 10 - created,
          unchanged: created,
        }),
        run(acme, expect.any(String), { ...both, created, unchanged: 10 - created }),
      ]);
      await expectRuns(other, [run(other, expect.any(String), { ...both, created: 10 })]);
    });

    it('is not used by requests that name another, nor joined by runs that are opened', async () => {
      const acme = await server.tenant();
      await upsert(acme, { account_id: 'a' });
      const [implicitId] = await ids(acme);
      const id = await openRun(acme);
      await upsert(acme, { account_id: 'b' }, { run: id });
      await upsert(acme, { account_id: 'c' });
      expect((await finishRun(acme, id)).body).toMatchObject({ requests: 1, created: 1 });
      await count(acme);
      expect(await show(acme, implicitId)).toMatchObject({ requests: 2, created: 2, state: 'open' });
      expect(await ids(acme)).toEqual([id, implicitId]);
    });

    it('can be finished early; the next request begins another', async () => {
      const acme = await server.tenant();
      await upsert(acme, { account_id: 'a' });
      const [id] = await ids(acme);
      const counts = { ...implicit, state: 'finished', ended_at: at(), requests: 1, created: 1 };
      expect((await finishRun(acme, id)).body).toEqual({
        ...run(acme, id, counts),
        undone_by: null,
        fields: [],
      });
      await upsert(acme, { account_id: 'b' });
      expect(await ids(acme)).toEqual([expect.not.stringMatching(`^${id}$`), id]);
      expect(accountIds(await changes(acme, 1, `run_id=${(await ids(acme))[0]}`))).toEqual(['b']);
      expect(await show(acme, id)).toEqual({ ...run(acme, id, counts), undone_by: null, fields: [] });
    });

    it('belongs to the new source of a key that was moved', async () => {
      const acme = await server.tenant();
      await acme.call('PUT', '/sources/crm', {});
      await upsert(acme, { account_id: 'a' });
      await acme.call('PATCH', `/keys/${acme.keyId}`, { source: 'crm' });
      await eventually(async () => {
        await upsert(acme, { account_id: 'b' });
        expect(await ids(acme, 'source=crm')).toHaveLength(1);
      });
      expect(await ids(acme, 'source=default')).toHaveLength(1);
    });
  });

  describe('in the listing', () => {
    it('is found by source, state and time, newest first, in pages', async () => {
      const [acme, other] = [await server.tenant(), await server.tenant()];
      const crm = await keyOf(acme, 'crm');
      await openRun(other);
      const all: string[] = [];
      for (let i = 0; i < 6; i += 1) {
        // Pairs begin at the same time.
        server.now = NOON + Math.floor(i / 2) * MINUTE;
        all.unshift(await openRun(acme, i % 2 === 0 ? crm.key : undefined));
      }
      const [r6, r5, r4, r3, r2, r1] = all as [string, string, string, string, string, string];
      await finishRun(acme, r5, { key: crm.key });
      await finishRun(acme, r4);
      await finishRun(acme, r2, { abandon: true });
      expect(await ids(acme)).toEqual(all);
      for (const limit of [1, 2, 3, 5, 6, 7]) {
        const paged = (await acme.all('/runs', limit)) as { id: string }[];
        expect(paged.map(({ id }) => id)).toEqual(all);
      }
      expect(await ids(acme, 'source=crm')).toEqual([r5, r3, r1]);
      expect(await ids(acme, 'source=nobody')).toEqual([]);
      expect(await ids(acme, 'state=open')).toEqual([r6, r3, r1]);
      expect(await ids(acme, 'state=finished')).toEqual([r5, r4]);
      expect(await ids(acme, 'state=abandoned')).toEqual([r2]);
      expect(await ids(acme, 'state=open&source=crm')).toEqual([r3, r1]);
      expect(await ids(acme, `since=${at(MINUTE)}`)).toEqual([r6, r5, r4, r3]);
      expect(await ids(acme, `until=${at(MINUTE)}`)).toEqual([r2, r1]);
      expect(await ids(acme, `since=${at(MINUTE)}&until=${at(MINUTE + 1)}`)).toEqual([r4, r3]);
      const filter = 'source=crm&state=open';
      const { data, next } = (await acme.get(`/runs?${filter}&limit=1`)).body;
      expect(data).toHaveLength(1);
      const rest = await acme.get(`/runs?state=open&source=crm&limit=10&cursor=${next}`);
      expect(rest.body).toEqual({
        data: [run(acme, r1, { source: 'crm', key_id: crm.id })],
        next: null,
      });
      const wrong = await acme.get(`/runs?cursor=${next}`);
      expect([wrong.status, wrong.body]).toEqual([
        400,
        invalid({ '/query/cursor': 'must be the `next` of a page of this same listing' }),
      ]);
    });

    it.each([
      ['limit=0', { '/query/limit': 'must be >= 1' }],
      ['limit=1001', { '/query/limit': 'must be <= 1000' }],
      ['state=ended', { '/query/state': 'must be one of open, finished, abandoned' }],
      ['since=soon', { '/query/since': 'must be a timestamp such as 2027-01-31T12:00:00Z' }],
      ['until=2027-02-30', { '/query/until': 'must be a timestamp such as 2027-01-31T12:00:00Z' }],
      ['kind=implicit', { '/query/kind': 'is not known here' }],
      ['source=a%00', { '/query/source': 'may not contain NUL' }],
      ['cursor=x', { '/query/cursor': 'must be the `next` of a page of this same listing' }],
    ])('is not found by %s', async (query, errors) => {
      const acme = await server.tenant();
      const answer = await acme.get(`/runs?${query}`);
      expect([answer.status, answer.body]).toEqual([400, invalid(errors as Record<string, string>)]);
    });
  });

  describe('of a change', () => {
    it('is shown with its source in the feed and in the history, and selects changes', async () => {
      const acme = await server.tenant();
      const other = await server.tenant();
      const crm = await keyOf(acme, 'crm');
      const id = await openRun(acme, crm.key);
      const byCrm = { key: crm.key, run: id };
      await upsert(acme, { account_id: 'a' }, { ...byCrm, requestId: 'one' });
      await upsert(acme, [{ account_id: 'b' }, { account_id: 'c' }], { ...byCrm, requestId: 'two' });
      await upsert(acme, { account_id: 'd' }, { requestId: 'three' });
      await upsert(acme, { account_id: 'a', name: 'A' }, { requestId: 'four' });
      await upsert(other, { account_id: 'a' }, { requestId: 'one' });
      const [implicitId] = await ids(acme, 'source=default');
      await acme.call('DELETE', '/accounts/d', undefined, headersOf(acme, { requestId: 'five' }));
      await finishRun(acme, id, { key: crm.key });
      const feed = await changes(acme, 6);
      expect(
        feed.map(({ account_id, source, run_id, key_id, request_id }: Record<string, unknown>) => [
          account_id,
          source,
          run_id,
          key_id,
          request_id,
        ]),
      ).toEqual([
        ['a', 'crm', id, crm.id, 'one'],
        ['b', 'crm', id, crm.id, 'two'],
        ['c', 'crm', id, crm.id, 'two'],
        ['d', 'default', implicitId, acme.keyId, 'three'],
        ['a', 'default', implicitId, acme.keyId, 'four'],
        ['d', 'default', null, acme.keyId, 'five'],
      ]);
      const history = (await acme.get('/accounts/a/history')).body.data;
      const change = { at: at(), is_erased: false };
      expect(history).toEqual([
        {
          ...change,
          revision: 2,
          kind: 'updated',
          request_id: 'four',
          key_id: acme.keyId,
          user: null,
          source: 'default',
          run_id: implicitId,
          changes: [{ field: 'name', from: null, to: 'A' }],
        },
        {
          ...change,
          revision: 1,
          kind: 'created',
          request_id: 'one',
          key_id: crm.id,
          user: null,
          source: 'crm',
          run_id: id,
          changes: [],
        },
      ]);
      // Positions of the changes of a run are known when they are counted.
      expect(await changes(acme, 2, `run_id=${implicitId}`)).toEqual([feed[3], feed[4]]);
      const found = async (query: string) => (await acme.get(`/changes?${query}`)).body.data;
      expect(await found(`run_id=${id}`)).toEqual(feed.slice(0, 3));
      expect(await found('run_id=999999999')).toEqual([]);
      expect((await other.get(`/changes?run_id=${id}`)).body.data).toEqual([]);
      expect(await found('source=crm')).toEqual(feed.slice(0, 3));
      expect(await found('source=default')).toEqual(feed.slice(3));
      expect(await found('source=nobody')).toEqual([]);
      expect(await found(`key_id=${crm.id}`)).toEqual(feed.slice(0, 3));
      expect(await found('request_id=two')).toEqual(feed.slice(1, 3));
      expect(await found(`request_id=two&run_id=${implicitId}`)).toEqual([]);
      expect(await found(`source=default&key_id=${acme.keyId}&request_id=four`)).toEqual([feed[4]]);
    });

    it('selects changes page by page, and those that come later', async () => {
      const acme = await server.tenant();
      const id = await openRun(acme);
      const names = Array.from({ length: 5 }, (_, i) => `a-${i}`);
      for (const account_id of names) {
        await upsert(acme, { account_id }, { run: id });
        await upsert(acme, { account_id: `other-${account_id}` });
      }
      await finishRun(acme, id);
      await changes(acme, 10);
      for (const query of [`run_id=${id}`, 'request_id=r']) {
        const expected = accountIds((await acme.get(`/changes?${query}`)).body.data);
        expect(expected).toHaveLength(query.startsWith('run') ? 5 : 10);
        const found: string[] = [];
        let after = '0~0';
        for (let page = 0; page < 20; page += 1) {
          const { data, next } = (await acme.get(`/changes?${query}&limit=2&after=${after}`)).body;
          expect(data.length).toBeLessThanOrEqual(2);
          found.push(...accountIds(data));
          if (next === after || data.length === 0) break;
          after = next;
        }
        expect(found).toEqual(expected);
      }
      const { next } = (await acme.get('/changes?source=default')).body;
      await upsert(acme, { account_id: 'late' });
      expect(accountIds(await changes(acme, 1, `source=default&after=${next}`))).toEqual(['late']);
    });

    it.each([
      ['run_id=crm', { '/query/run_id': 'must match pattern "^\\d{1,15}$"' }],
      ['run_id=-1', { '/query/run_id': 'must match pattern "^\\d{1,15}$"' }],
      ['source=', { '/query/source': 'must NOT have fewer than 1 characters' }],
      ['key_id=', { '/query/key_id': 'must NOT have fewer than 1 characters' }],
      ['request_id=', { '/query/request_id': 'must NOT have fewer than 1 characters' }],
    ])('does not select by %s', async (query, errors) => {
      const acme = await server.tenant();
      for (const path of ['changes', 'rejections']) {
        const answer = await acme.get(`/${path}?${query}`);
        expect([answer.status, answer.body]).toEqual([400, invalid(errors as Record<string, string>)]);
      }
    });

    it('cannot be combined with last or a stream', async () => {
      const acme = await server.tenant();
      const detail = 'cannot be combined with a stream or with last';
      const last = await acme.get('/changes?last=5&run_id=1&source=crm');
      expect([last.status, last.body]).toEqual([
        400,
        invalid({ '/query/run_id': detail, '/query/source': detail }),
      ]);
      const stream = await acme.get('/changes?key_id=k', { accept: 'text/event-stream' });
      expect([stream.status, stream.body]).toEqual([400, invalid({ '/query/key_id': detail })]);
    });
  });

  it('of a rejection is shown with its source, and selects rejections', async () => {
    const acme = await server.tenant();
    const crm = await keyOf(acme, 'crm');
    const id = await openRun(acme, crm.key);
    await upsert(acme, { account_id: 'a', licenses: 'x' }, { key: crm.key, run: id, requestId: 'one' });
    await importRecords(acme, [{ account_id: 'b', licenses: 'x' }], {
      key: crm.key,
      run: id,
      requestId: 'two',
    });
    await upsert(acme, { account_id: 'c', licenses: 'x' }, { requestId: 'three' });
    await upsert(acme, { account_id: 'd' }, { run: id, requestId: 'four' });
    const [implicitId] = await ids(acme, 'source=default');
    const shown = async (query = '') =>
      (await acme.get(`/rejections?${query}`)).body.data.map(
        ({ request_id, source, run_id, key_id }: Record<string, unknown>) => [
          request_id,
          source,
          run_id,
          key_id,
        ],
      );
    const one = ['one', 'crm', id, crm.id];
    const two = ['two', 'crm', id, crm.id];
    const three = ['three', 'default', implicitId, acme.keyId];
    const four = ['four', 'default', null, acme.keyId];
    await eventually(async () => expect(await shown()).toEqual([four, three, two, one]));
    expect(await shown(`run_id=${id}`)).toEqual([two, one]);
    expect(await shown(`run_id=${implicitId}`)).toEqual([three]);
    expect(await shown('run_id=999999999')).toEqual([]);
    expect(await shown('source=crm')).toEqual([two, one]);
    expect(await shown('source=default')).toEqual([four, three]);
    expect(await shown(`key_id=${acme.keyId}`)).toEqual([four, three]);
    expect(await shown('request_id=two')).toEqual([two]);
    expect(await shown('request_id=two&source=default')).toEqual([]);
    const page = (await acme.get(`/rejections?run_id=${id}&limit=1`)).body;
    const rest = (await acme.get(`/rejections?run_id=${id}&limit=5&cursor=${page.next}`)).body;
    expect([page.data[0].request_id, rest.data[0].request_id, rest.next]).toEqual(['two', 'one', null]);
  });
});

describe.each(databases)('runs with another silence on %s', (_name, createDatabase) => {
  const server = useServer(createDatabase, { runSilenceMinutes: 30 });
  const count = useCounting(server);

  it('go on for as long as the setting says', async () => {
    const acme = await server.tenant();
    await upsert(acme, { account_id: 'a' });
    server.now += 30 * MINUTE - 1;
    await upsert(acme, { account_id: 'b' });
    expect((await acme.get('/runs')).body.data).toHaveLength(1);
    await count(acme);
    expect((await acme.get('/runs')).body.data[0].requests).toBe(2);
    server.now += 30 * MINUTE + 1;
    await upsert(acme, { account_id: 'c' });
    expect((await acme.get('/runs')).body.data).toHaveLength(2);
  });
});
