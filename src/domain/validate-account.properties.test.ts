import fc from 'fast-check';
import { expect, it } from 'vitest';
import { TYPE_NAMES } from './attribute-types.js';
import { tenantRules } from './tenant.js';
import { validateAccount } from './validate-account.js';

const attributes = TYPE_NAMES.map((type) => ({
  name: `custom_${type}`,
  type,
  choices: type === 'choice' ? ['Gold'] : [],
  readOnly: false,
}));
const blockedPatterns = ['*.example.org'];
const rulesOfAllKinds = (['any', 'domain'] as const).flatMap((accountIds) =>
  (['keep', 'reject'] as const).map((undeclaredFields) =>
    tenantRules({ accountIds, undeclaredFields, attributes, blockedPatterns }),
  ),
);
const rules = fc.constantFrom(...rulesOfAllKinds);

const value = fc.oneof(
  fc.jsonValue(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom(null, ' 12 ', 'Gold', 'TRUE', '2024-02-29', '2024-02-29 10:20+14:00', 2 ** 60, Infinity),
);
const identifier = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1 }),
  fc.constantFrom('Example.COM', 'Bücher.de', 'ПРИМЕР.рф', 'null', 'shop.example.org', ' BU\u0308CHER.DE'),
  fc.integer(),
);
const extraFields = [...attributes.map(({ name }) => name), 'licenses', 'extra', 'toString', 'revision', '7'];
const record = fc
  .tuple(
    fc.record(
      { account_id: identifier, parent_account_id: identifier, name: fc.string() },
      { requiredKeys: [] },
    ),
    fc.dictionary(fc.constantFrom(...extraFields), value, { maxKeys: 3 }),
  )
  .map(([known, extra]) => ({ ...known, ...extra }));

it('any JSON value gives either a patch or at least one message for each attribute it names', () => {
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), record), rules, (sent, by) => {
      const { patch, errors } = validateAccount(sent, by);
      const messages = [...(errors?.values() ?? [])];
      expect(patch === undefined).toBe(messages.length > 0);
      expect(messages.filter((list) => list.length === 0)).toEqual([]);
    }),
    { numRuns: 1000 },
  );
});

it('every sent field is in the patch under its own name', () => {
  fc.assert(
    fc.property(record, rules, (sent, by) => {
      const { patch } = validateAccount(sent, by);
      fc.pre(patch !== undefined);
      expect(['account_id', ...Object.keys(patch.fields)].sort()).toEqual(Object.keys(sent).sort());
    }),
  );
});

it('a patch sent again as a record gives the same patch', () => {
  fc.assert(
    fc.property(record, rules, (sent, by) => {
      const { patch } = validateAccount(sent, by);
      fc.pre(patch !== undefined);
      expect(validateAccount({ account_id: patch.accountId, ...patch.fields }, by)).toEqual({ patch });
    }),
    { numRuns: 500 },
  );
});
