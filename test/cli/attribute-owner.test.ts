import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openStore } from '../../dist/store/open-store.js';
import { type Database, databases } from '../support/databases.js';
import { NO_PRESENTATION } from '../support/no-presentation.js';
import { run, runJson } from '../support/service.js';

describe.each(databases)('the owner of an attribute on the command line on %s', (_name, createDatabase) => {
  let database: Database;
  let tenant: string;
  let tenants = 0;
  beforeAll(async () => {
    database = await createDatabase();
    await (await openStore({ database: database.url })).close();
  });
  afterAll(() => database.remove());
  beforeEach(async () => {
    tenants += 1;
    tenant = `tenant-${tenants}`;
    await json('tenant', 'create', tenant);
    for (const source of ['billing', 'crm']) await json('source', 'set', tenant, source);
  });

  const json = (...args: string[]) => runJson(database.settings, ...args);
  const set = (name: string, ...options: string[]) => json('attribute', 'set', tenant, name, ...options);
  /** The message of a declaration that fails, without the line that names the database. */
  const failure = async (name: string, ...options: string[]) => {
    const args = ['attribute', 'set', tenant, name, ...options];
    const { status, stdout, stderr } = await run(args, database.settings);
    expect([status, stdout]).toEqual([1, '']);
    return stderr.replace(/^Database: .*\n/, '').trimEnd();
  };
  const attribute = (name: string, given: object = {}) => ({
    name,
    type: 'text',
    choices: [],
    read_only: false,
    owner: null,
    ...NO_PRESENTATION,
    stored: { accounts: 0, unfit: 0 },
    ...given,
  });
  const billing = { source: 'billing', others: 'reject' };

  it('is set, changed and removed, and stays if it is not given', async () => {
    const keeping = { source: 'billing', others: 'keep' };
    expect(await set('custom_Tier', '--type', 'text', '--owner', 'billing')).toEqual(
      attribute('custom_Tier', { owner: billing }),
    );
    expect((await set('custom_Tier', '--others', 'keep')).owner).toEqual(keeping);
    expect((await set('custom_Tier', '--type', 'date')).owner).toEqual(keeping);
    expect(await set('custom_Tier', '--no-owner')).toEqual(attribute('custom_Tier', { type: 'date' }));
    expect((await set('custom_Tier', '--owner', 'crm')).owner).toEqual({ source: 'crm', others: 'reject' });
  });

  it('leaves the other properties of the attribute as they are', async () => {
    await set('custom_Tier', '--type', 'choice', '--choice', 'gold', 'silver', '--read-only', '--indexed');
    const choice = { type: 'choice', choices: ['gold', 'silver'], read_only: true };
    expect(await set('custom_Tier', '--owner', 'billing')).toEqual(
      attribute('custom_Tier', { ...choice, owner: billing }),
    );
    const listed = await json('attribute', 'list', tenant);
    expect(listed.at(-1)).toMatchObject({ ...choice, owner: billing, index: 'ready' });
  });

  it.each([
    ['licenses', 'integer'],
    ['custom_Is_Valid', 'boolean'],
    ['name', 'text'],
    ['parent_account_id', 'text'],
  ])('needs no type for %s', async (name, type) => {
    expect(await set(name, '--owner', 'billing')).toEqual(attribute(name, { type, owner: billing }));
    expect(await set(name, '--type', type, '--no-owner')).toEqual(attribute(name, { type }));
  });

  it('is in the listing, with fields that can only be owned as long as they have settings', async () => {
    const names = async () =>
      (await json('attribute', 'list', tenant)).map(({ name }: { name: string }) => name);
    const builtIn = [
      'licenses',
      'custom_Is_Valid',
      'custom_External_Created_On',
      'custom_External_Created_At',
    ];
    expect(await names()).toEqual(builtIn);
    await set('name', '--owner', 'billing', '--others', 'keep');
    await set('custom_Tier', '--type', 'text', '--owner', 'crm');
    expect(await names()).toEqual(['name', ...builtIn, 'custom_Tier']);
    const { stdout } = await run(['attribute', 'list', tenant], database.settings);
    const cells = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ {2,}/));
    expect(cells[0]).toEqual([
      'ATTRIBUTE',
      'LABEL',
      'GROUP',
      'TYPE',
      'CHOICES',
      'READ-ONLY',
      'OWNER',
      'INDEX',
      'BUILT IN',
    ]);
    expect(cells[1]).toEqual(['name', '–', '–', 'text', '–', 'no', 'billing (others: keep)', 'none', 'yes']);
    expect(cells[2]?.slice(0, 7)).toEqual(['licenses', '–', '–', 'integer', '–', 'no', '–']);
    expect(cells.at(-1)).toEqual([
      'custom_Tier',
      '–',
      '–',
      'text',
      '–',
      'no',
      'crm (others: reject)',
      'none',
      'no',
    ]);
    await json('attribute', 'remove', tenant, 'name');
    expect(await names()).toEqual([...builtIn, 'custom_Tier']);
  });

  it('is named by the text after a change', async () => {
    const { stdout } = await run(
      ['attribute', 'set', tenant, 'name', '--owner', 'billing'],
      database.settings,
    );
    expect(stdout).toBe(
      'name is now text, owned by billing (others: reject). A running server applies this within a second.\n',
    );
  });

  it('is not an unknown source, nor one of another tenant', async () => {
    await json('tenant', 'create', `${tenant}-other`);
    await json('source', 'set', `${tenant}-other`, 'theirs');
    for (const source of ['unknown', 'theirs', 'Billing']) {
      expect(await failure('custom_Tier', '--type', 'text', '--owner', source)).toBe(
        `There is no source ${source}.`,
      );
    }
    expect(await json('attribute', 'list', tenant)).toHaveLength(4);
  });

  it.each([
    [['custom_Tier', '--owner', 'billing'], 'custom_Tier is not declared yet. Give it a type: --type text'],
    [
      ['custom_Tier', '--type', 'text', '--others', 'keep'],
      'Use --others only for an attribute with an owner: --owner billing --others keep',
    ],
    [
      ['name', '--others', 'reject'],
      'Use --others only for an attribute with an owner: --owner billing --others keep',
    ],
    [
      ['name', '--no-owner', '--others', 'keep'],
      'Use --others only for an attribute with an owner: --owner billing --others keep',
    ],
    [['name', '--type', 'integer', '--owner', 'billing'], 'name is built in; its type cannot be changed.'],
    [['name', '--read-only'], 'name is built in; it cannot be read-only.'],
    [['account_id', '--owner', 'billing'], '"account_id" cannot name an attribute'],
    [['name', '--owner', 'billing', '--others', 'ignore'], 'Allowed choices are reject, keep'],
  ])('is not set by %j', async (args, message) => {
    const [name = '', ...options] = args;
    expect(await failure(name, ...options)).toContain(message);
    expect(await json('attribute', 'list', tenant)).toHaveLength(4);
  });

  it.each(['name', 'parent_account_id'])('is all that %s can have: it gets no index', async (name) => {
    expect(await failure(name, '--indexed')).toContain(name);
    expect(await json('attribute', 'list', tenant)).toHaveLength(4);
  });

  it('prevents that its source is removed', async () => {
    await set('custom_Tier', '--type', 'text', '--owner', 'billing');
    const remove = () => run(['source', 'remove', tenant, 'billing'], database.settings);
    const { status, stderr } = await remove();
    expect([status, stderr]).toEqual([1, expect.stringContaining('custom_Tier')]);
    await set('custom_Tier', '--no-owner');
    expect((await remove()).status).toBe(0);
  });
});
