import { describe, expect, it } from 'vitest';
import { databases } from '../support/databases.js';
import { own } from './owned-fields.js';
import { finishRun, keyOf, kinds, openRun } from './run-requests.js';
import { archive, undo } from './undo-requests.js';
import { type Answer, account, at, invalid, problem, type Tenant, useServer } from './v2-server.js';

interface Edit {
  readonly ifMatch?: string;
  readonly query?: string;
  readonly key?: string;
  readonly run?: string;
  readonly requestId?: string;
}

const REFUSED_REVISION = 'must be the ETag of the account, such as "7-kVw2mC8cZ0Jt1nQyT5b6Xg" or "7", or *';

describe.each(databases)('PATCH /accounts/{id} on %s', (_name, createDatabase) => {
  const server = useServer(createDatabase);

  const edit = (
    tenant: Tenant,
    id: string,
    body: unknown,
    { ifMatch = '*', query = '', key = tenant.key, run: runId, requestId = 'r' }: Edit = {},
  ): Promise<Answer> =>
    tenant.call('PATCH', `/accounts/${encodeURIComponent(id)}${query}`, body, {
      authorization: `Bearer ${key}`,
      'x-request-id': requestId,
      ...(ifMatch !== '' && { 'if-match': ifMatch }),
      ...(runId !== undefined && { 'account-sync-run': runId }),
    });

  const read = (tenant: Tenant, id: string) => tenant.get(`/accounts/${encodeURIComponent(id)}`);

  /** A response, except for what is passed. */
  const edited = (given: object) => ({
    outcome: 'updated',
    changes: [],
    kept: [],
    run_id: expect.stringMatching(/^\d+$/),
    dry_run: false,
    ...given,
  });

  /** A tenant with the account acme, at its first revision. */
  async function withAcme(record: Record<string, unknown> = {}): Promise<Tenant> {
    const tenant = await server.tenant();
    await tenant.sync({ account_id: 'acme', name: 'Acme', licenses: 20, ...record });
    return tenant;
  }

  it('changes what is sent, and nothing else', async () => {
    const acme = await withAcme({ parent_account_id: 'group', plan: 'gold' });
    const answer = await edit(acme, 'ACME', { name: 'Acme Inc.', fields: { licenses: 25, plan: null } });
    const changed = account('acme', {
      parent_account_id: 'group',
      name: 'Acme Inc.',
      fields: { licenses: 25 },
      revision: 2,
      updated_at: at(1),
    });
    const changes = [
      { field: 'name', from: 'Acme', to: 'Acme Inc.' },
      { field: 'licenses', from: 20, to: 25 },
      { field: 'plan', from: 'gold', to: null },
    ];
    expect([answer.status, answer.body]).toEqual([
      200,
      edited({ account: changed, changes: expect.arrayContaining(changes) }),
    ]);
    expect(answer.body.changes).toHaveLength(3);
    const stored = await read(acme, 'acme');
    expect([stored.body, stored.headers.etag]).toEqual([changed, answer.headers.etag]);
    const { data } = (await acme.get('/accounts/acme/history')).body;
    expect(data[0]).toMatchObject({
      revision: 2,
      kind: 'updated',
      request_id: 'r',
      source: 'default',
      run_id: answer.body.run_id,
      changes: answer.body.changes,
    });
  });

  it('belongs to the run of its source, or to the one that it names', async () => {
    const acme = await withAcme();
    const named = await openRun(acme);
    const first = await edit(acme, 'acme', { name: 'A' });
    const second = await edit(acme, 'acme', { name: 'B' }, { run: named, requestId: 'edit-1' });
    expect(first.body.run_id).not.toBe(named);
    expect(second.body.run_id).toBe(named);
    await edit(acme, 'acme', { name: 'B' }, { run: named });
    await edit(acme, 'acme', { name: 7 }, { run: named });
    const { body } = await finishRun(acme, named);
    expect(body).toEqual(
      expect.objectContaining({ requests: 3, failed_requests: 1, updated: 1, unchanged: 1, rejected: 0 }),
    );
    expect((await edit(acme, 'acme', { name: 'C' }, { run: named })).body).toEqual(
      problem(409, 'run_ended', `Run ${named} has ended. Open a new one.`),
    );
  });

  it('stores nothing if nothing changes', async () => {
    const acme = await withAcme();
    const before = (await read(acme, 'acme')).body;
    const { status, body } = await edit(acme, 'acme', { name: 'Acme', fields: { licenses: 20, plan: null } });
    expect([status, body]).toEqual([200, edited({ outcome: 'unchanged', account: before })]);
    expect(await kinds(acme, 'acme')).toEqual(['created']);
  });

  it('archives and restores, alone and with fields', async () => {
    const acme = await withAcme();
    const archived = await edit(acme, 'acme', { archived: true });
    expect(archived.body).toMatchObject({
      outcome: 'archived',
      account: { archived_at: at(1), revision: 2, name: 'Acme' },
      changes: [],
    });
    expect((await edit(acme, 'acme', { archived: true })).body.outcome).toBe('unchanged');
    const changed = await edit(acme, 'acme', { name: 'Old' });
    expect(changed.body).toMatchObject({ outcome: 'updated', account: { archived_at: at(1), revision: 3 } });
    const restored = await edit(acme, 'acme', { archived: false, name: 'New' });
    expect(restored.body).toMatchObject({
      outcome: 'restored',
      account: { archived_at: null, revision: 4, name: 'New' },
      changes: [{ field: 'name', from: 'Old', to: 'New' }],
    });
    expect(await kinds(acme, 'acme')).toEqual(['created', 'archived', 'updated', 'restored']);
  });

  it('shows what it would do in a dry run', async () => {
    const acme = await withAcme();
    const before = (await read(acme, 'acme')).body;
    server.now += 1_000;
    const { status, body, headers } = await edit(
      acme,
      'acme',
      { fields: { licenses: 25 }, archived: true },
      { query: '?dry_run=true', ifMatch: '"1"' },
    );
    expect([status, headers.etag, body]).toEqual([
      200,
      undefined,
      edited({
        outcome: 'archived',
        account: {
          ...before,
          fields: { licenses: 25 },
          revision: 2,
          updated_at: at(1_001),
          archived_at: at(1_001),
        },
        changes: [{ field: 'licenses', from: 20, to: 25 }],
        run_id: null,
        dry_run: true,
      }),
    ]);
    expect((await read(acme, 'acme')).body).toEqual(before);
    expect((await acme.get('/runs')).body.data).toHaveLength(1);
  });

  describe('with If-Match', () => {
    it.each([
      ['the ETag', (etag: string) => etag],
      ['the ETag as a proxy weakens it', (etag: string) => `W/${etag}`],
      ['the revision', () => '"1"'],
      ['any revision', () => ' * '],
    ])('accepts %s', async (_what, header) => {
      const acme = await withAcme();
      const { etag } = (await read(acme, 'acme')).headers;
      expect(etag).toMatch(/^"1-[\w-]{22}"$/);
      expect((await edit(acme, 'acme', { name: 'A' }, { ifMatch: header(String(etag)) })).status).toBe(200);
    });

    it('rejects another revision with the ETag of now, and stores nothing', async () => {
      const acme = await withAcme();
      const { etag: first } = (await read(acme, 'acme')).headers;
      await acme.sync({ account_id: 'acme', name: 'Other' });
      const { etag: second } = (await read(acme, 'acme')).headers;
      for (const query of ['', '?dry_run=true']) {
        const answer = await edit(acme, 'acme', { name: 'Mine' }, { ifMatch: String(first), query });
        expect([answer.status, answer.headers.etag, answer.body]).toEqual([
          412,
          second,
          problem(
            412,
            'revision_changed',
            'Account acme has changed since: you have revision 1, and it is at 2. Read it again.',
          ),
        ]);
      }
      expect((await edit(acme, 'acme', { name: 'Mine' }, { ifMatch: '"3"' })).status).toBe(412);
      expect((await read(acme, 'acme')).body.name).toBe('Other');
      expect((await edit(acme, 'acme', { name: 'Mine' }, { ifMatch: String(second) })).status).toBe(200);
    });

    it('lets one of several edits at once through', async () => {
      const acme = await withAcme();
      const names = Array.from({ length: 20 }, (_, i) => `Name ${i}`);
      const answers = await Promise.all(
        names.map((name) => edit(acme, 'acme', { name }, { ifMatch: '"1"' })),
      );
      const [stored, ...others] = answers.toSorted((a, b) => a.status - b.status);
      expect([stored?.status, ...new Set(others.map(({ status }) => status))]).toEqual([200, 412]);
      expect((await read(acme, 'acme')).body).toEqual(stored?.body.account);
    });

    it('loses none of several edits of any revision at once', async () => {
      const acme = await withAcme();
      const fields = Array.from({ length: 20 }, (_, i) => [`field_${i}`, i] as const);
      const answers = await Promise.all(
        fields.map(([name, value]) => edit(acme, 'acme', { fields: { [name]: value } })),
      );
      expect(answers.map(({ body }) => body.account.revision).sort((a, b) => a - b)).toEqual(
        fields.map((_, i) => i + 2),
      );
      expect((await read(acme, 'acme')).body.fields).toEqual({ licenses: 20, ...Object.fromEntries(fields) });
    });

    it('is required', async () => {
      const acme = await withAcme();
      expect((await edit(acme, 'acme', { name: 'A' }, { ifMatch: '' })).body).toEqual(
        problem(
          428,
          'revision_required',
          'Say which revision you change: send the ETag of the account as If-Match, or * for any revision.',
        ),
      );
    });

    it.each(['1', '"1", "2"', '"x"', '"1.5"', '"-1"', '""', '"1" "2"', '*, "1"', `"${'1'.repeat(16)}"`])(
      'rejects %s',
      async (ifMatch) => {
        const acme = await withAcme();
        expect((await edit(acme, 'acme', { name: 'A' }, { ifMatch })).body).toEqual(
          invalid({ '/headers/if-match': REFUSED_REVISION }),
        );
      },
    );
  });

  describe('of values', () => {
    it('shows every message at its field', async () => {
      const acme = await withAcme();
      await acme.call('PATCH', '/settings', { undeclared_fields: 'reject' });
      const answer = await edit(acme, 'acme', {
        name: 7,
        parent_account_id: 'acme',
        fields: { licenses: 'ten', created_at: 'now', 'x/y~z': true, unknown: 1 },
      });
      expect(answer.body).toEqual(
        invalid({
          '/body/parent_account_id': "account_id and parent_account_id can't be same.",
          '/body/name': 'The name must be a string.',
          '/body/fields/licenses': 'Account acme, licenses has invalid integer value.',
          '/body/fields/created_at': 'Account acme, created_at is read-only.',
          '/body/fields/x~1y~0z': 'Account acme, x/y~z is not a known field.',
          '/body/fields/unknown': 'Account acme, unknown is not a known field.',
        }),
      );
      expect((await acme.get('/rejections')).body.data).toEqual([]);
      expect((await read(acme, 'acme')).body.revision).toBe(1);
    });

    it.each([
      [{}, { '/body': 'must NOT have fewer than 1 properties' }],
      // As a pushed record has it.
      [
        { licenses: 30, nam: 'A' },
        {
          '/body/licenses': 'is not known here; fields of accounts are in /body/fields',
          '/body/nam': 'is not known here; fields of accounts are in /body/fields',
        },
      ],
      [{ account_id: 'other' }, { '/body/account_id': 'cannot be changed' }],
      [{ archived: 'yes' }, { '/body/archived': 'must be boolean' }],
      [{ archived: null }, { '/body/archived': 'must be boolean' }],
      [{ fields: [] }, { '/body/fields': 'must be object' }],
      [{ fields: { account_id: 'other' } }, { '/body/fields/account_id': 'cannot be changed' }],
      [{ fields: { name: 'A' } }, { '/body/fields/name': 'must be beside fields: /body/name' }],
      [
        { fields: { parent_account_id: 'A' } },
        { '/body/fields/parent_account_id': 'must be beside fields: /body/parent_account_id' },
      ],
    ])('rejects the body %j', async (body, errors) => {
      const acme = await withAcme();
      expect((await edit(acme, 'acme', body)).body).toEqual(invalid(errors as Record<string, string>));
    });

    it('keeps an account whose id is blocked, and lets it be archived', async () => {
      const acme = await withAcme();
      await acme.call('POST', '/blocked-ids', { pattern: 'acme' });
      expect((await edit(acme, 'acme', { name: 'A' })).body).toEqual(
        invalid({ '/path/id': 'account_id blocked by system.' }),
      );
      expect((await edit(acme, 'acme', { archived: true })).body.outcome).toBe('archived');
    });

    it('follows ownership', async () => {
      const acme = await withAcme({ custom_Plan: 'gold' });
      const [billing, crm] = [await keyOf(acme, 'billing'), await keyOf(acme, 'crm')];
      await own(acme, 'custom_Plan', { source: 'billing', key: crm.key, others: 'reject' });
      await own(acme, 'licenses', {
        source: 'billing',
        key: crm.key,
        others: 'keep',
        type: 'integer',
        sample: 1,
      });
      expect((await edit(acme, 'acme', { fields: { custom_Plan: 'free' } }, { key: crm.key })).body).toEqual(
        invalid({ '/body/fields/custom_Plan': 'Account acme, custom_Plan is read-only.' }),
      );
      const byCrm = await edit(
        acme,
        'acme',
        { name: 'A', fields: { custom_Plan: 'gold', licenses: 1 } },
        { key: crm.key },
      );
      expect(byCrm.body).toMatchObject({
        outcome: 'updated',
        changes: [{ field: 'name', from: 'Acme', to: 'A' }],
        kept: ['licenses'],
      });
      const byBilling = await edit(
        acme,
        'acme',
        { fields: { custom_Plan: null, licenses: 1 } },
        { key: billing.key },
      );
      expect(byBilling.body).toMatchObject({ outcome: 'updated', kept: [] });
      expect((await read(acme, 'acme')).body.fields).toEqual({ licenses: 1 });
    });
  });

  it('finds no account that is missing, deleted or of another tenant', async () => {
    const [acme, other] = [await withAcme(), await withAcme()];
    await other.sync({ account_id: 'theirs' });
    await acme.call('DELETE', '/accounts/acme');
    for (const id of ['acme', 'theirs', 'none']) {
      expect((await edit(acme, id, { name: 'A' })).body).toEqual(
        problem(404, 'not_found', `There is no account ${id}.`),
      );
    }
    expect((await read(other, 'acme')).body.name).toBe('Acme');
  });

  it('is skipped in a run that only creates accounts', async () => {
    const acme = await withAcme();
    const { id } = (await acme.call('POST', '/runs', { mode: 'create-only' })).body;
    const before = (await read(acme, 'acme')).body;
    expect((await edit(acme, 'acme', { name: 'A' }, { run: id })).body).toEqual(
      edited({ outcome: 'skipped', account: before, run_id: id }),
    );
    const tried = await edit(acme, 'acme', { name: 'A' }, { run: id, query: '?dry_run=true' });
    expect(tried.body).toEqual(edited({ outcome: 'skipped', account: before, run_id: null, dry_run: true }));
    expect((await finishRun(acme, id)).body).toMatchObject({ requests: 1, skipped: 1, updated: 0 });
  });

  it('finds no run that does not exist, also in a dry run', async () => {
    const acme = await withAcme();
    for (const query of ['', '?dry_run=true']) {
      expect((await edit(acme, 'acme', { name: 'A' }, { run: '999999', query })).body).toEqual(
        problem(404, 'run_not_found', 'There is no run 999999.'),
      );
    }
  });

  it('counts as pushed in a run that asks for missing accounts', async () => {
    const acme = await withAcme();
    await acme.sync({ account_id: 'gone' });
    const { id } = (await acme.call('POST', '/runs', { missing: 'archive' })).body;
    await edit(acme, 'acme', { name: 'A' }, { run: id });
    const { body } = await acme.call('POST', `/runs/${id}/finish`, { max_missing_percent: 100 });
    expect(body).toMatchObject({ archived: 1 });
    expect((await read(acme, 'acme')).body.archived_at).toBeNull();
    expect((await read(acme, 'gone')).body.archived_at).not.toBeNull();
  });

  it('is no push of a source whose accounts are tracked', async () => {
    const acme = await withAcme();
    const finishMirror = async () => {
      const { id } = (await acme.call('POST', '/runs', { missing: 'archive' })).body;
      return (await acme.call('POST', `/runs/${id}/finish`, { max_missing_percent: 100 })).body;
    };
    await finishMirror();
    // The source is named after the label of its key.
    const { key } = (await acme.call('POST', '/keys', { scopes: ['sync'], label: 'other' })).body;
    await acme.server.inject({
      method: 'POST',
      url: '/api/v1_1/account',
      headers: { authorization: `Bearer ${key}` },
      payload: { account_id: 'foreign', name: 'Foreign' },
    });
    expect((await edit(acme, 'foreign', { name: 'Edited' })).status).toBe(200);
    expect(await finishMirror()).toMatchObject({ archived: 0 });
    expect((await read(acme, 'foreign')).body).toMatchObject({ name: 'Edited', archived_at: null });
  });

  it('needs both scopes, because its response shows the account', async () => {
    const acme = await withAcme();
    for (const [scopes, missing] of [
      [['sync'], 'read'],
      [['read'], 'sync'],
      [['admin'], 'sync'],
    ] as const) {
      expect((await edit(acme, 'acme', { name: 'A' }, { key: await acme.addKey(scopes) })).body).toEqual(
        problem(403, 'scope_missing', `This key lacks the scope ${missing}.`),
      );
    }
    const both = await acme.addKey(['sync', 'read']);
    expect((await edit(acme, 'acme', { name: 'A' }, { key: both })).status).toBe(200);
  });

  it('can be undone', async () => {
    const acme = await withAcme();
    const named = await openRun(acme);
    await edit(acme, 'acme', { name: 'A', archived: true }, { run: named });
    await finishRun(acme, named);
    await undo(acme, named);
    expect((await read(acme, 'acme')).body).toMatchObject({ name: 'Acme', archived_at: null, revision: 3 });
  });

  it('edits an archived account', async () => {
    const acme = await server.tenant();
    await archive(acme, { account_id: 'old', name: 'Old' });
    expect((await edit(acme, 'old', { name: 'Older' })).body).toMatchObject({
      outcome: 'updated',
      account: { name: 'Older', archived_at: at() },
    });
  });
});
