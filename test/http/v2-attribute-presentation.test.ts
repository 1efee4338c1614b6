import { describe, expect, it } from 'vitest';
import { databases } from '../support/databases.js';
import { NO_PRESENTATION } from '../support/no-presentation.js';
import { auditOf } from './audit-of.js';
import { expectedAttribute } from './expected-attribute.js';
import { invalid, type Tenant, useServer } from './v2-server.js';

const SEATS = {
  label: 'Seats 🪑',
  description: 'How many people may use it.',
  unit: 'seats',
  position: 10,
  group: 'Contract',
};

const put = (tenant: Tenant, name: string, body: object) =>
  tenant.call('PUT', `/attributes/${name}`, { type: 'text', ...body });

const rule = (length: number) =>
  `must have 1 to ${length} characters, without control characters, and without white space at the ends`;

describe.each(databases)('the presentation of an attribute on %s', (_name, createDatabase) => {
  const server = useServer(createDatabase);

  it('is stored, listed, changed in part, and cleared with null', async () => {
    const acme = await server.tenant();
    const made = await put(acme, 'custom_Seats', SEATS);
    expect([made.status, made.body]).toEqual([201, expectedAttribute('custom_Seats', SEATS)]);
    expect((await acme.get('/attributes/custom_Seats')).body).toEqual(made.body);
    expect((await acme.get('/attributes')).body.data.at(-1)).toEqual(made.body);
    expect((await put(acme, 'custom_Seats', { read_only: true })).body).toEqual({
      ...made.body,
      read_only: true,
    });
    const renamed = await put(acme, 'custom_Seats', { label: 'Chairs', unit: null, position: 0 });
    const changed = { ...SEATS, label: 'Chairs', unit: null, position: 0 };
    expect([renamed.status, renamed.body]).toEqual([200, expectedAttribute('custom_Seats', changed)]);
    expect((await put(acme, 'custom_Seats', NO_PRESENTATION)).body).toEqual(
      expectedAttribute('custom_Seats'),
    );
  });

  it('does not change the order of the list, nor what is valid', async () => {
    const acme = await server.tenant();
    await put(acme, 'custom_B', { label: 'A', position: 1 });
    await put(acme, 'custom_A', { label: 'B', position: 2 });
    const { data } = (await acme.get('/attributes')).body;
    expect(data.map(({ name }: { name: string }) => name).slice(-2)).toEqual(['custom_A', 'custom_B']);
    await acme.sync({ account_id: 'a', custom_A: 'x' });
    expect((await acme.get('/accounts/a')).body.fields).toEqual({ custom_A: 'x' });
  });

  it('is all of a built-in attribute that can change, beside its index and owner', async () => {
    const acme = await server.tenant();
    const { status, body } = await put(acme, 'licenses', { type: 'integer', ...SEATS });
    const licenses = expectedAttribute('licenses', { type: 'integer', built_in: true, ...SEATS });
    expect([status, body]).toEqual([200, licenses]);
    expect((await acme.get('/attributes')).body.data[0]).toEqual(licenses);
    const { body: refused } = await put(acme, 'licenses', { label: 'Text' });
    expect(refused).toEqual(invalid({ '/body/type': 'must stay integer: licenses is built in' }));
    await acme.call('DELETE', '/attributes/licenses');
    expect((await acme.get('/attributes/licenses')).body).toEqual({ ...licenses, ...NO_PRESENTATION });
  });

  it('may have the longest texts, counted in characters', async () => {
    const acme = await server.tenant();
    const longest = {
      label: '👩'.repeat(100),
      description: 'ß'.repeat(500),
      unit: '€'.repeat(20),
      position: 9_999,
      group: '組'.repeat(60),
    };
    expect((await put(acme, 'custom_X', longest)).body).toEqual(expectedAttribute('custom_X', longest));
  });

  it.each([
    ['empty', { label: '', description: '', unit: '', group: '' }],
    ['blank', { label: ' ', description: '\u00a0', unit: '\t', group: '\n' }],
    ['white space at the ends of', { label: ' a', description: 'a ', unit: '\u2003a', group: 'a\u2003' }],
    [
      'control characters in',
      { label: 'a\nb', description: 'a\u0001b', unit: 'a\u001bb', group: 'a\u009fb' },
    ],
    [
      'marks that turn the direction of',
      { label: 'a\u202eb', description: '\u202ab', unit: '\u2066a', group: 'a\u2069' },
    ],
    [
      'invisible',
      { label: '\u200b', description: '\u200d\ufeff\u200d', unit: '\u2060', group: '\u200e\u200f' },
    ],
    [
      'half surrogate pairs in',
      { label: 'a\ud800', description: '\udc00', unit: '\ud800b', group: '\ud800\ud800' },
    ],
  ])('does not have %s texts', async (_what, texts) => {
    const acme = await server.tenant();
    const { status, body } = await put(acme, 'custom_X', texts);
    const lengths = { label: 100, description: 500, unit: 20, group: 60 };
    const errors = Object.entries(lengths).map(([part, length]) => [`/body/${part}`, rule(length)]);
    expect([status, body]).toEqual([400, invalid(Object.fromEntries(errors))]);
  });

  it('does not have texts that are too long', async () => {
    const acme = await server.tenant();
    const { status, body } = await put(acme, 'custom_X', {
      label: 'a'.repeat(101),
      description: 'a'.repeat(501),
      unit: 'a'.repeat(21),
      group: '👩'.repeat(61),
    });
    const errors = {
      '/body/label': 'must have at most 100 characters',
      '/body/description': 'must have at most 500 characters',
      '/body/unit': 'must have at most 20 characters',
      '/body/group': 'must have at most 60 characters',
    };
    expect([status, body]).toEqual([400, invalid(errors)]);
  });

  it.each([
    [
      { label: 1, description: true, unit: [], position: '1', group: {} },
      {
        '/body/label': 'must be string or null',
        '/body/description': 'must be string or null',
        '/body/unit': 'must be string or null',
        '/body/position': 'must be integer or null',
        '/body/group': 'must be string or null',
      },
    ],
    [{ position: -1 }, { '/body/position': 'must be >= 0' }],
    [{ position: 10_000 }, { '/body/position': 'must be <= 9999' }],
    [{ position: 1.5 }, { '/body/position': 'must be integer or null' }],
    [{ group_name: 'x' }, { '/body/group_name': 'is not known here' }],
  ])('is not %j', async (presentation, errors) => {
    const acme = await server.tenant();
    const { status, body } = await put(acme, 'custom_X', presentation);
    expect([status, body]).toEqual([400, invalid(errors as Record<string, string>)]);
  });

  it.each(['name', 'parent_account_id'])('is not for %s, which is no attribute', async (name) => {
    const acme = await server.tenant();
    const detail = `must stay null: ${name} is not an attribute`;
    const { status, body } = await put(acme, name, { label: 'X', position: 1 });
    expect([status, body]).toEqual([400, invalid({ '/body/label': detail, '/body/position': detail })]);
    expect((await put(acme, name, { owner: null, ...NO_PRESENTATION })).status).toBe(201);
  });

  it('is in the audit', async () => {
    const acme = await server.tenant();
    await put(acme, 'custom_Seats', SEATS);
    await put(acme, 'custom_Seats', { label: null });
    const text = { type: 'text', choices: [], read_only: false, indexed: false, owner: null, others: null };
    expect((await auditOf(acme)).slice(-2)).toEqual([
      ['attribute.set', 'custom_Seats', acme.keyId, null, { ...text, ...SEATS }],
      [
        'attribute.set',
        'custom_Seats',
        acme.keyId,
        { ...text, ...SEATS },
        { ...text, ...SEATS, label: null },
      ],
    ]);
  });
});
