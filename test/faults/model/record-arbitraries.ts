import fc, { type Arbitrary } from 'fast-check';
import type { Json } from './stored-value.js';
import { weighted } from './weighted.js';

const of = fc.constantFrom;

type Mode = 'upsert' | 'update-only' | 'create-only';

/** Few accounts, so that runs use them repeatedly; each in several spellings. */
export const spelledId = of(
  ...[
    'acme',
    'Acme',
    ' ACME\n',
    'müller',
    'MU\u0308LLER',
    '42',
    'a/b%c',
    'shop.example.com',
    'Shop.Example.COM',
  ],
  ...['bücher.de', 'xn--bcher-kva.de', ' BÜCHER.de', 'x.test.example', 'acme.github.io'],
);
const unusualId: Arbitrary<Json | undefined> = of<Json | undefined>(
  ...[
    undefined,
    null,
    '',
    ' \t',
    true,
    1.5,
    2 ** 53,
    'null',
    ' N/A',
    'co.uk',
    'https://example.com',
    '1.2.3.4',
  ],
  ...['a'.repeat(192), '😀'.repeat(191), 'nul\0', 'lone\ud800', 'a_b.com', 'acme.com.'],
);
const id: Arbitrary<Json | undefined> = weighted([12, spelledId], [1, of<Json>(42, -7)], [1, unusualId]);
const parent: Arbitrary<Json | undefined> = weighted<Json | undefined>(
  [4, fc.constant(undefined)],
  [5, spelledId],
  [1, of<Json>(null, ' ', 42, false, 'x'.repeat(192))],
);
const name: Arbitrary<Json | undefined> = weighted<Json | undefined>(
  [3, fc.constant(undefined)],
  [5, of('Acme Inc.', 'acme', 'Zeta', 'Ärger', 'ärger', 'Z', '', '😀'.repeat(191))],
  [1, of<Json>(null, 7, 'x'.repeat(192), 'nul\0')],
);

const FIELDS = [
  ...[
    'licenses',
    'custom_Is_Valid',
    'custom_External_Created_On',
    'custom_External_Created_At',
    'custom_Tier',
  ],
  ...['custom_Seats', 'custom_Größe', 'region', 'licences', 'constructor', '7', 'revision', 'nul\0'],
];
const field = of(...FIELDS.slice(0, -2), ...FIELDS);
const value: Arbitrary<Json> = weighted<Json>(
  [2, fc.constant(null)],
  [4, of<Json>(12, '12', ' -3 ', '12.0', 0, '0', 1, '1', true, false, 'TRUE', 3.5, '1e3')],
  [
    3,
    of<Json>('2021-05-31', '2021-05-31T10:20', '2021-05-31 10:20:30.9999+02:00', '2021-05-31T08:20:30.999Z'),
  ],
  [3, of<Json>('gold', 'silver', 'Gold', '')],
  [
    2,
    of<Json>(
      '2021-02-30',
      '31/05/2021',
      '2021-05-31T24:00',
      'yes',
      '1,000',
      '12abc',
      2,
      1.5,
      2 ** 53,
      'nul\0',
    ),
  ],
  [2, of<Json>({ a: 1, b: [null, 2] }, { b: [null, 2], a: 1 }, [1, 2], [2, 1], [], {}, { deep: [2 ** 60] })],
);
const record: Arbitrary<Json> = fc
  .record({
    account_id: id,
    parent_account_id: parent,
    name,
    others: fc.array(fc.tuple(field, value), { maxLength: 3 }),
  })
  .map(({ others, ...known }) => JSON.parse(JSON.stringify({ ...Object.fromEntries(others), ...known })));

export const recordText = weighted(
  [15, record.map((one) => JSON.stringify(one))],
  [1, of('null', '7', '"acme"', '[]', '{}')],
);
export const records = fc
  .array(recordText, { minLength: 1, maxLength: 3 })
  .map((texts) => `[${texts.join(',')}]`);
export const importInput = fc
  .record({
    form: of('lines' as const, 'array' as const),
    texts: fc.array(weighted([12, recordText], [1, fc.constant('{"account_id":"acme"')]), { maxLength: 3 }),
    isDryRun: weighted([3, fc.constant(false)], [1, fc.constant(true)]),
    mode: weighted<Mode | undefined>(
      [3, fc.constant(undefined)],
      [3, of<Mode>('upsert', 'update-only', 'create-only')],
    ),
  })
  // After invalid JSON in an array, the start of the next record is not defined.
  .map(({ form, texts, isDryRun, mode }) => ({
    form,
    texts: form === 'lines' ? texts : texts.filter((text) => text !== '{"account_id":"acme"'),
    isDryRun,
    mode,
  }));

/** NUL in a property of the body itself is rejected before the rules are applied. */
const withoutNul = (sent: Json | undefined) => typeof sent !== 'string' || !sent.includes('\0');
export const edit = fc
  .record({
    parent_account_id: parent.filter(withoutNul),
    name: name.filter(withoutNul),
    fields: fc.option(fc.array(fc.tuple(field, value), { maxLength: 3 }), { nil: undefined }),
    archived: weighted<boolean | undefined>([3, fc.constant(undefined)], [2, fc.boolean()]),
  })
  .map(({ fields, ...own }) =>
    JSON.parse(JSON.stringify({ ...own, fields: fields && Object.fromEntries(fields) })),
  )
  .filter((body) => Object.keys(body).length > 0);
