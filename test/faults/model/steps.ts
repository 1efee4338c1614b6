import fc, { type Arbitrary } from 'fast-check';
import { NOON } from '../../http/v2-server.js';
import type { Operation, Step, Write } from './operations.js';
import { edit, importInput, records, recordText, spelledId } from './record-arbitraries.js';
import { TYPE_NAMES } from './stored-value.js';
import { isoTime } from './tenant-model.js';
import { weighted } from './weighted.js';

const of = fc.constantFrom;
const withKind = <K extends string, T extends object>(kind: K, parts: { [P in keyof T]: Arbitrary<T[P]> }) =>
  fc.record({ kind: fc.constant(kind), ...parts }) as Arbitrary<{ kind: K } & T>;

const write: Arbitrary<Write> = weighted<Write>(
  [8, withKind('upsert', { text: weighted([20, recordText], [1, of('', ' ')]) })],
  [
    5,
    withKind('batch', {
      text: weighted([20, records], [1, of('', 'null', '{}', '[]', '{"account_id":"acme"}')]),
    }),
  ],
  [4, importInput.map((parts) => ({ kind: 'import', ...parts }) as const)],
  [
    4,
    withKind('edit', {
      id: spelledId,
      revision: weighted([2, fc.constant(null)], [1, fc.integer({ min: 1, max: 4 })]),
      isDryRun: weighted([3, fc.constant(false)], [1, fc.constant(true)]),
      edit,
    }),
  ],
  [2, withKind('delete', { id: spelledId })],
);

const undo: Arbitrary<Operation> = withKind('undo-request', {
  which: fc.nat({ max: 20 }),
  force: weighted([3, fc.constant(false)], [1, fc.constant(true)]),
  isDryRun: weighted([3, fc.constant(false)], [1, fc.constant(true)]),
});

const mirror: Arbitrary<Operation> = withKind('mirror-run', {
  missing: weighted([3, fc.constant('archive' as const)], [1, fc.constant('report' as const)]),
  text: records,
});

const attributeName = of(
  ...['custom_Tier', 'custom_Seats', 'custom_Größe', 'custom_Tier', 'licenses', 'tier'],
  ...['name', 'parent_account_id'],
);
const owner = of(
  ...[null, { source: 'unknown' }, { source: 'default' }, { source: 'crm' }],
  ...[
    { source: 'default', others: 'keep' as const },
    { source: 'crm', others: 'keep' as const },
    { source: 'crm', others: 'reject' as const },
  ],
);
const attributeBody = fc.record(
  {
    type: of(...TYPE_NAMES),
    choices: of(['gold', 'silver'], ['gold', 'gold', '12']),
    read_only: weighted([4, fc.constant(false)], [1, fc.constant(true)]),
    indexed: fc.boolean(),
    owner,
  },
  { requiredKeys: ['type'] },
);
const validAttributeBody = attributeBody.map(({ choices = ['gold'], ...body }) =>
  body.type === 'choice' ? { ...body, choices } : body,
);
/** Fields that have an owner from now on, without other settings. */
const ownership: Arbitrary<Operation> = fc
  .tuple(of('name', 'parent_account_id', 'licenses', 'custom_Tier'), owner)
  .map(([name, given]) => ({
    kind: 'put-attribute' as const,
    name,
    body: { type: name === 'licenses' ? ('integer' as const) : ('text' as const), owner: given },
  }));
const pattern = of('ACME', '*.test.example', 'bücher.de', 'Shop.example.com', ' ', '*.');
const which = fc.nat({ max: 5 });
const admin: Arbitrary<Operation> = weighted<Operation>(
  [
    3,
    withKind('patch-settings', {
      changes: fc.record(
        {
          account_ids: of('any' as const, 'domain' as const),
          undeclared_fields: of('keep' as const, 'reject' as const),
          // Longer than a run, so that no data of the run expires.
          history_days: of(null, 30),
          rejection_days: of(null, 7),
        },
        { requiredKeys: [] },
      ),
    }),
  ],
  [
    4,
    withKind('put-attribute', {
      name: attributeName,
      body: weighted([5, validAttributeBody], [1, attributeBody]),
    }),
  ],
  [2, withKind('delete-attribute', { name: attributeName })],
  [2, withKind('block', { pattern })],
  [1, withKind('unblock', { pattern })],
  [
    5,
    withKind('create-key', {
      scopes: fc.subarray(['sync' as const, 'read' as const, 'admin' as const], { minLength: 1 }),
      label: of('', 'crm'),
      hours: of(null, 1, 48),
    }),
  ],
  [3, withKind('rotate-key', { which, overlap_hours: of(0, 1, 24) })],
  [5, withKind('revoke-key', { which })],
  [1, fc.constant({ kind: 'list-keys' })],
);

const limit = of(1, 2, 3, 50);
const query = fc.record(
  {
    search: of('a', 'AC', 'm', 'Mü', 'x', 'z', 'Ä', '4'),
    id_prefix: of('a', 'AC', 'b', 'shop.', 'bücher.de'),
    name_prefix: of('a', 'ACME', 'ä', 'z'),
    parent: spelledId,
    attribute: of(
      'custom_Tier:gold',
      'custom_Seats:12',
      'licenses: 12',
      'custom_Is_Valid:TRUE',
      'licenses:x',
      'no:1',
    ),
    archived: of('include' as const, 'only' as const, 'exclude' as const),
    updated_since: fc.nat({ max: 20 }).map((ms) => isoTime(NOON + ms)),
    sort: of(...(['id', '-id', 'name', '-name', 'updated', '-updated'] as const)),
  },
  { requiredKeys: [] },
);
/** At most two filters, so that some accounts match. */
const fewFilters = fc
  .tuple(
    query,
    fc.subarray(
      [
        'search',
        'id_prefix',
        'name_prefix',
        'parent',
        'attribute',
        'archived',
        'updated_since',
        'sort',
      ] as const,
      { maxLength: 2 },
    ),
  )
  .map(([all, kept]) =>
    Object.fromEntries(Object.entries(all).filter(([key]) => (kept as string[]).includes(key))),
  );
const read: Arbitrary<Operation> = weighted<Operation>(
  [4, withKind('get-account', { id: spelledId })],
  [2, withKind('get-history', { id: spelledId, limit })],
  [
    1,
    withKind('get-history', {
      id: spelledId,
      limit,
      field: of('name', 'licenses', 'parent_account_id', 'custom_Tier'),
    }),
  ],
  [5, withKind('list-accounts', { query: fewFilters, limit })],
  [2, withKind('list-children', { id: spelledId, limit })],
  [1, withKind('get-ancestors', { id: spelledId })],
  [2, withKind('get-subtree', { id: spelledId, limit })],
  [3, withKind('follow-changes', { limit })],
);

const tenant = weighted([5, fc.constant(0)], [1, fc.constant(1)]);
/** Mostly the first two keys, which have all scopes and are of different sources. */
const by = weighted([6, fc.constant(0)], [2, fc.constant(1)], [1, fc.nat({ max: 5 })]);
const call = (operation: Arbitrary<Operation>) => withKind('call', { tenant, by, operation });

const step: Arbitrary<Step> = weighted<Step>(
  [24, call(write)],
  [8, call(undo)],
  [5, call(mirror)],
  [9, call(admin)],
  [3, call(ownership)],
  [14, call(read)],
  [5, withKind('concurrent', { tenant, operations: fc.array(write, { minLength: 2, maxLength: 3 }) })],
  [1, withKind('wait', { minutes: of(1, 90) })],
  [1, fc.constant({ kind: 'restart' })],
);

/** Runs are short, so owners that are set in the middle of one would hardly meet values of other sources. */
const firstOwners = fc.array(
  ownership.map((operation): Step => ({ kind: 'call', tenant: 0, by: 0, operation })),
  { maxLength: 3 },
);

/** The steps of one run. */
export const steps = fc
  .tuple(firstOwners, fc.array(step, { minLength: 1, maxLength: 15, size: 'max' }))
  .map(([first, others]) => [...first, ...others]);
