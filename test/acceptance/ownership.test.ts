import { describe, expect, it } from 'vitest';
import { NO_PRESENTATION } from '../support/no-presentation.js';
import { expectFailure, expectResult } from './expectations.js';
import { FreshSource, freshIds } from './fresh-source.js';
import { invalid, readOnly } from './messages.js';
import { counts, operations } from './operations.js';
import {
  expectCounts,
  freshAttribute,
  importSummary,
  ownAttribute,
  ownerApplied,
  putAttribute,
} from './owned-fields.js';
import { asJson, freshId, type HttpResponse, send, withKey } from './requests.js';
import { target } from './target.js';

/** The source that owns fields, and another one. */
const twoSources = async (admin?: string) =>
  [await FreshSource.create(admin), await FreshSource.create(admin)] as const;

/** A body for the operation: the record itself, or a batch of it. */
const bodyFor = (operation: (typeof operations)[number], record: object) =>
  JSON.parse(operation.body(JSON.stringify(record)));

const keptIn = ({ headers }: HttpResponse) => headers.get('account-sync-kept');

const fieldsOf = async (source: FreshSource, id: string) =>
  (await source.call('GET', `/accounts/${id}`)).body.fields;

describe('the owner of an attribute', () => {
  it('is set, shown, kept by changes that do not send it, and removed', async () => {
    const billing = await FreshSource.create();
    const name = freshAttribute();
    const shown = (given: object) => ({
      name,
      type: 'text',
      choices: [],
      read_only: false,
      built_in: false,
      ...NO_PRESENTATION,
      index: 'none',
      index_progress: null,
      accounts: 0,
      ...given,
    });
    const put = async (body: object) => {
      const { status, text } = await putAttribute(name, body);
      return [status, JSON.parse(text)];
    };
    const rejecting = { source: billing.name, others: 'reject' };
    const keeping = { source: billing.name, others: 'keep' };
    expect(await put({ type: 'text', owner: { source: billing.name } })).toEqual([
      201,
      shown({ owner: rejecting }),
    ]);
    expect((await billing.call('GET', `/attributes/${name}`)).body).toEqual(shown({ owner: rejecting }));
    expect(await put({ type: 'text', owner: keeping })).toEqual([200, shown({ owner: keeping })]);
    expect(await put({ type: 'integer' })).toEqual([200, shown({ type: 'integer', owner: keeping })]);
    const listed = (await billing.call('GET', '/attributes')).body.data;
    expect(listed.find((attribute: { name: string }) => attribute.name === name)).toEqual(
      shown({ type: 'integer', owner: keeping }),
    );
    expect(await put({ type: 'text', owner: null })).toEqual([200, shown({ owner: null })]);
    expect((await billing.call('GET', `/attributes/${name}`)).body).toEqual(shown({ owner: null }));
  });

  it('prevents that its source is removed', async () => {
    const billing = await FreshSource.create();
    const name = freshAttribute();
    // A source with keys cannot be removed either, so the new source has none.
    const source = `${billing.name}-b`;
    const admin = (method: string, path: string, body?: object) =>
      send(`/api/v2${path}`, {
        method,
        headers: { ...(body && asJson), ...withKey(target.keys.admin) },
        ...(body && { body: JSON.stringify(body) }),
      });
    expect((await admin('PUT', `/sources/${source}`, {})).status).toBe(201);
    expect((await putAttribute(name, { type: 'text', owner: { source } })).status).toBe(201);
    const refused = await admin('DELETE', `/sources/${source}`);
    expect([refused.status, JSON.parse(refused.text).code]).toEqual([409, 'source_in_use']);
    expect((await putAttribute(name, { type: 'text', owner: null })).status).toBe(200);
    expect((await admin('DELETE', `/sources/${source}`)).status).toBe(204);
  });
});

describe.each(operations)('a field that another source owns, sent in $name', (operation) => {
  it('is read-only for all other sources, and stays as it is', async () => {
    const [billing, crm] = await twoSources();
    const field = await ownAttribute(billing, crm, 'reject');
    const id = freshId('MiXeD');
    const write = (source: FreshSource, record: object) => source.send(bodyFor(operation, record));
    expectResult(await write(billing, { account_id: id, [field]: 'gold' }), operation.result('created'));
    for (const value of ['silver', '', 'Gold', null]) {
      const message = readOnly(id, field);
      expectFailure(
        await write(crm, { account_id: ` ${id}`, name: 'Other', [field]: value }),
        400,
        operation.errors([message]),
        [{ [field]: [message] }],
      );
    }
    const { body } = await crm.call('GET', `/accounts/${id.toLowerCase()}`);
    expect(body).toMatchObject({ name: null, fields: { [field]: 'gold' }, revision: 1 });
    expectResult(
      await write(crm, { account_id: id, name: 'Acme', [field]: 'gold' }),
      operation.result('updated'),
    );
    expectResult(await write(crm, { account_id: id, name: 'Other' }), operation.result('updated'));
    expectResult(await write(billing, { account_id: id, [field]: 'silver' }), operation.result('updated'));
    expectResult(await write(billing, { account_id: id, [field]: null }), operation.result('updated'));
    expectResult(await write(crm, { account_id: id, [field]: null }), operation.result('unchanged'));
  });

  it('counts as null for an account that does not exist', async () => {
    const [billing, crm] = await twoSources();
    const field = await ownAttribute(billing, crm, 'reject');
    const account_id = freshId();
    const message = readOnly(account_id, field);
    const refused = await crm.send(bodyFor(operation, { account_id, [field]: 'gold' }));
    expectFailure(refused, 400, operation.errors([message]), [{ [field]: [message] }]);
    expect((await crm.call('GET', `/accounts/${account_id}`)).status).toBe(404);
    const stored = await crm.send(bodyFor(operation, { account_id, [field]: null }));
    expectResult(stored, operation.result('created'));
  });

  it.each([
    ['integer', 3, [3, '3', ' 3 ', '3.0'], 4],
    ['decimal', 1.5, [1.5, '1.50'], 1.4],
    ['boolean', true, [true, 'TRUE', 1, '1'], false],
    ['date', '2027-01-31', ['2027-01-31'], '2027-02-01'],
    ['datetime', '2027-01-31T12:00:00Z', ['2027-01-31T13:00:00+01:00'], '2027-01-31T12:00:01Z'],
  ])('of the type %s is compared as it is stored', async (type, value, equal, different) => {
    const [billing, crm] = await twoSources();
    const field = await ownAttribute(billing, crm, 'reject', { type, sample: value });
    const account_id = freshId();
    expect((await billing.send({ account_id, [field]: value })).status).toBe(200);
    for (const same of equal) {
      const response = await crm.send(bodyFor(operation, { account_id, [field]: same }));
      expectResult(response, operation.result('unchanged'));
    }
    const message = readOnly(account_id, field);
    expectFailure(
      await crm.send(bodyFor(operation, { account_id, [field]: different })),
      400,
      operation.errors([message]),
      [{ [field]: [message] }],
    );
  });

  it('is not mentioned if the record breaks another rule', async () => {
    const [billing, crm] = await twoSources();
    const field = await ownAttribute(billing, crm, 'reject');
    const account_id = freshId();
    const message = invalid(account_id, 'licenses', 'integer');
    expectFailure(
      await crm.send(bodyFor(operation, { account_id, [field]: 'gold', licenses: 'many' })),
      400,
      operation.errors([message]),
      [{ licenses: [message] }],
    );
  });

  it('keeps its value if the owner says so, and the other fields are stored', async () => {
    const [billing, crm] = await twoSources();
    const field = await ownAttribute(billing, crm, 'keep');
    const account_id = freshId();
    const write = async (source: FreshSource, record: object) => {
      const response = await source.send(bodyFor(operation, { account_id, ...record }));
      return [response.headers.get('account-sync-result'), keptIn(response), response.text];
    };
    const success = '{"success":true}';
    expect(await write(crm, { [field]: 'silver', licenses: 1 })).toEqual([
      operation.result('created'),
      `${field}=1`,
      success,
    ]);
    expect(await fieldsOf(crm, account_id)).toEqual({ licenses: 1 });
    expect(await write(billing, { [field]: 'gold' })).toEqual([operation.result('updated'), null, success]);
    expect(await write(crm, { [field]: 'silver' })).toEqual([
      operation.result('unchanged'),
      `${field}=1`,
      success,
    ]);
    expect(await write(crm, { [field]: null, licenses: 2 })).toEqual([
      operation.result('updated'),
      `${field}=1`,
      success,
    ]);
    expect(await write(crm, { [field]: 'gold', licenses: 3 })).toEqual([
      operation.result('updated'),
      null,
      success,
    ]);
    expect(await fieldsOf(crm, account_id)).toEqual({ [field]: 'gold', licenses: 3 });
    const { data } = (await crm.call('GET', `/accounts/${account_id}/history`)).body;
    const changed = data.map(({ changes }: { changes: { field: string }[] }) =>
      changes.map(({ field: name }) => name),
    );
    expect(changed).toEqual([['licenses'], ['licenses'], [field], ['licenses']]);
  });
});

describe('a batch with fields that another source owns', () => {
  it('is stored as a whole or not at all, and returns the messages of every record', async () => {
    const [billing, crm] = await twoSources();
    const [first, second] = [
      await ownAttribute(billing, crm, 'reject'),
      await ownAttribute(billing, crm, 'reject'),
    ];
    const [old, young, both, equal] = freshIds(4) as [string, string, string, string];
    await billing.send([
      { account_id: old, [first]: 'gold' },
      { account_id: both, [first]: 'gold', [second]: 'x' },
      { account_id: equal, [second]: 'x' },
    ]);
    const refused = await crm.send([
      { account_id: young, name: 'New' },
      { account_id: old, [first]: 'silver' },
      { account_id: both, [first]: null, [second]: 'y' },
      { account_id: equal, [second]: 'x', name: 'Equal' },
    ]);
    const errors = [
      {},
      { [first]: [readOnly(old, first)] },
      { [first]: [readOnly(both, first)], [second]: [readOnly(both, second)] },
      {},
    ];
    const messages = errors.map((entry) => Object.values(entry).flat());
    expectFailure(refused, 400, messages, errors);
    expect((await crm.call('GET', `/accounts/${young}`)).status).toBe(404);
    expect((await crm.call('GET', `/accounts/${equal}`)).body).toMatchObject({ name: null, revision: 1 });
  });

  it('names each field of which it kept values, with their number', async () => {
    const [billing, crm] = await twoSources();
    const [first, second] = [
      await ownAttribute(billing, crm, 'keep'),
      await ownAttribute(billing, crm, 'keep'),
    ];
    const ids = freshIds(3);
    const response = await crm.send(
      ids.map((account_id, i) => ({
        account_id,
        licenses: i,
        [first]: 'x',
        ...(i === 1 && { [second]: 'y' }),
      })),
    );
    expectResult(response, counts({ created: 3 }));
    expect(keptIn(response)?.split(', ').sort()).toEqual([`${first}=3`, `${second}=1`].sort());
  });
});

describe('an import with fields that another source owns', () => {
  it.each([true, false])('fails these records only, and names kept fields; dry run: %s', async (dry_run) => {
    const [billing, crm] = await twoSources();
    const [rejecting, keeping] = [
      await ownAttribute(billing, crm, 'reject'),
      await ownAttribute(billing, crm, 'keep'),
    ];
    const [a, b, c, d] = freshIds(4) as [string, string, string, string];
    await billing.send([
      { account_id: a, [rejecting]: 'gold', [keeping]: 'x' },
      { account_id: b, [rejecting]: 'gold', [keeping]: 'x' },
    ]);
    const lines = await crm.import(
      [
        { account_id: a, [rejecting]: 'silver', licenses: 1 },
        { account_id: b, [rejecting]: 'gold', [keeping]: 'y', licenses: 2 },
        { account_id: c, [keeping]: 'y' },
        { account_id: d, licenses: 4 },
        { account_id: b, [keeping]: 'z' },
      ],
      { query: `?dry_run=${dry_run}` },
    );
    expect(lines).toEqual([
      { index: 0, account_id: a, status: 'failed', errors: { [rejecting]: [readOnly(a, rejecting)] } },
      { index: 1, account_id: b, status: 'updated', changed: ['licenses'], kept: [keeping] },
      { index: 2, account_id: c, status: 'created', changed: [], kept: [keeping] },
      { index: 3, account_id: d, status: 'created', changed: ['licenses'] },
      { index: 4, account_id: b, status: 'unchanged', changed: [], kept: [keeping] },
      importSummary({ records: 5, created: 2, updated: 1, unchanged: 1, failed: 1, kept: 3, dry_run }),
    ]);
    const before = { [rejecting]: 'gold', [keeping]: 'x' };
    expect(await fieldsOf(crm, a)).toEqual(before);
    expect(await fieldsOf(crm, b)).toEqual(dry_run ? before : { ...before, licenses: 2 });
    expect((await crm.call('GET', `/accounts/${c}`)).status).toBe(dry_run ? 404 : 200);
  });
});

describe('a run with fields that another source owns', () => {
  it('counts kept values and rejected records, which are among the rejections', async () => {
    const [billing, crm] = await twoSources();
    const [rejecting, keeping] = [
      await ownAttribute(billing, crm, 'reject'),
      await ownAttribute(billing, crm, 'keep'),
    ];
    const [a, b] = freshIds(2) as [string, string];
    const run = await crm.open();
    const record = { account_id: a, [rejecting]: 'gold', licenses: 1 };
    expect((await crm.send(record, run)).status).toBe(400);
    await crm.send(
      [
        { account_id: a, [keeping]: 'x', name: 'A' },
        { account_id: b, [keeping]: 'y', name: 'B' },
      ],
      run,
    );
    await crm.import(
      [
        { account_id: a, [keeping]: 'z' },
        { account_id: b, [rejecting]: 'gold' },
      ],
      { run },
    );
    await crm.finish(run);
    await expectCounts(crm, run, {
      mode: 'upsert',
      requests: 3,
      failed_requests: 1,
      created: 2,
      updated: 0,
      unchanged: 1,
      skipped: 0,
      kept: 3,
      rejected: 2,
    });
    const rejections = async () => (await crm.call('GET', `/rejections?run_id=${run}`)).body.data;
    await expect.poll(rejections).toHaveLength(2);
    expect(await rejections()).toMatchObject([
      {
        source: crm.name,
        operation: 'import-accounts',
        index: 1,
        account_id: b,
        errors: { [rejecting]: [readOnly(b, rejecting)] },
        record: { account_id: b, [rejecting]: 'gold' },
      },
      {
        source: crm.name,
        operation: 'upsert-account',
        status: 400,
        account_id: a,
        errors: { [rejecting]: [readOnly(a, rejecting)] },
        problem: null,
        record,
      },
    ]);
  });

  it('can be undone after the owner has changed; and accounts can be deleted', async () => {
    const [billing, crm] = await twoSources();
    const field = freshAttribute();
    const account_id = freshId();
    await billing.send({ account_id, [field]: 'before' });
    const run = await crm.open();
    await crm.send({ account_id, [field]: 'after' }, run);
    await crm.finish(run);
    const owner = { source: billing.name, others: 'reject' };
    expect((await putAttribute(field, { type: 'text', owner })).status).toBe(201);
    await ownerApplied(crm, field, 'reject');
    const undone = await send(`/api/v2/runs/${run}/undo`, { headers: withKey(crm.key) });
    expect(JSON.parse(undone.text.trimEnd().split('\n').at(-1) ?? '').summary).toMatchObject({
      updated: 1,
      conflicts: 0,
      is_complete: true,
    });
    expect(await fieldsOf(crm, account_id)).toEqual({ [field]: 'before' });
    const deleted = await send(`/api/v2/accounts/${account_id}`, {
      method: 'DELETE',
      headers: withKey(target.keys.admin),
    });
    expect(deleted.status).toBe(204);
  });
});

describe('the owner of a field that changes', () => {
  it('is the only one whose values count from then on', async () => {
    const [billing, crm] = await twoSources();
    const field = await ownAttribute(billing, crm, 'reject');
    const account_id = freshId();
    const write = async (source: FreshSource, value: string) =>
      (await source.send({ account_id, [field]: value })).status;
    expect([await write(billing, 'a'), await write(crm, 'b')]).toEqual([200, 400]);
    await putAttribute(field, { type: 'text', owner: { source: crm.name, others: 'keep' } });
    await ownerApplied(billing, field, 'keep');
    expect([await write(billing, 'c'), await write(crm, 'b')]).toEqual([200, 200]);
    expect(await fieldsOf(crm, account_id)).toEqual({ [field]: 'b' });
    await putAttribute(field, { type: 'text', owner: null });
    await ownerApplied(billing, field, 'none');
    expect(await write(billing, 'd')).toBe(200);
    expect(await fieldsOf(crm, account_id)).toEqual({ [field]: 'd' });
  });

  it('cannot be bypassed by requests at the same time', async () => {
    const [billing, crm] = await twoSources();
    const rejecting = await ownAttribute(billing, crm, 'reject');
    const keeping = await ownAttribute(billing, crm, 'keep');
    const ids = freshIds(5);
    const rounds = Array.from({ length: 10 }, (_, i) => i);
    await Promise.all(
      rounds.flatMap((round) =>
        ids.flatMap((account_id) => [
          billing.send({ account_id, [rejecting]: `own-${round}`, [keeping]: `own-${round}` }),
          crm.send({ account_id, [rejecting]: `other-${round}` }),
          crm.send([{ account_id, [keeping]: `other-${round}`, licenses: round }]),
        ]),
      ),
    );
    for (const id of ids) {
      const { data } = (await crm.call('GET', `/accounts/${id}/history?limit=1000`)).body;
      const byOthers = data
        .filter(({ source }: { source: string }) => source === crm.name)
        .flatMap(({ changes }: { changes: { field: string }[] }) => changes.map(({ field }) => field));
      expect(byOthers.filter((field: string) => field !== 'licenses')).toEqual([]);
      const fields = await fieldsOf(crm, id);
      expect([fields[rejecting], fields[keeping]]).toEqual([
        expect.stringMatching(/^own-/),
        expect.stringMatching(/^own-/),
      ]);
    }
  });
});

describe('the name and the parent of accounts', () => {
  const { owned } = target.keys;
  const remove = (field: string) =>
    send(`/api/v2/attributes/${field}`, { method: 'DELETE', headers: withKey(owned) });

  it.each([
    ['name', 'Acme', 'Acme', ' Acme'],
    ['parent_account_id', 'holding', ' HOLDING\t', 'other'],
  ])('may be owned, too: %s', async (field, value, equal, different) => {
    const [billing, crm] = await twoSources(owned);
    const names = async () =>
      (await billing.call('GET', '/attributes')).body.data.map(({ name }: { name: string }) => name);
    expect(await names()).not.toContain(field);
    expect((await billing.call('GET', `/attributes/${field}`)).status).toBe(404);
    const owner = { source: billing.name, others: 'reject' };
    const { status, text } = await putAttribute(field, { type: 'text', owner }, owned);
    expect([status, JSON.parse(text)]).toEqual([
      201,
      {
        name: field,
        type: 'text',
        choices: [],
        read_only: false,
        built_in: true,
        owner,
        ...NO_PRESENTATION,
        index: 'none',
        index_progress: null,
        accounts: 0,
      },
    ]);
    expect((await billing.call('GET', `/attributes/${field}`)).body).toEqual(JSON.parse(text));
    expect(await names()).toContain(field);
    await ownerApplied(crm, field, 'reject');
    const account_id = freshId();
    expectResult(await billing.send({ account_id, [field]: value }), 'created');
    expectResult(await crm.send({ account_id, [field]: equal }), 'unchanged');
    for (const other of [different, null]) {
      const message = readOnly(account_id, field);
      expectFailure(await crm.send({ account_id, [field]: other }), 400, [message], [{ [field]: [message] }]);
    }
    await putAttribute(field, { type: 'text', owner: { ...owner, others: 'keep' } }, owned);
    await ownerApplied(crm, field, 'keep');
    const kept = await crm.send({ account_id, [field]: different, licenses: 1 });
    expectResult(kept, 'updated');
    expect(keptIn(kept)).toBe(`${field}=1`);
    expect((await crm.call('GET', `/accounts/${account_id}`)).body).toMatchObject({
      [field]: value,
      fields: { licenses: 1 },
    });
    expect((await remove(field)).status).toBe(204);
    expect(await names()).not.toContain(field);
    await ownerApplied(crm, field, 'none');
    expectResult(await crm.send({ account_id, [field]: different }), 'updated');
  });
});
