import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../dist/domain/json.js';
import type { UpsertRequest } from '../../dist/store/requests.js';
import type { Store } from '../../dist/store/store.js';

const text = fc.constantFrom(null, '', 'Acme', 'Ünïcödé');
const value: fc.Arbitrary<JsonValue> = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.integer(),
  fc.constantFrom('', 'İstanbul', 'ẞ', 'it\'s "quoted"', '👩‍🚀', '\u2028', '%_\\'),
  fc.constantFrom<JsonValue>([1, { a: null }], { constructor: 'x', toString: [] }),
);
const fields: fc.Arbitrary<JsonObject> = fc.record(
  { name: text, parent_account_id: text, licenses: value, custom_X: value, constructor: value, ключ: value },
  { requiredKeys: [], noNullPrototype: true },
);
const patch = fc.record({ accountId: fc.constantFrom('a', 'b', 'ä'), fields });

/** Batches that often touch the same few accounts. */
export const batches = fc.array(fc.array(patch, { minLength: 1, maxLength: 5 }), { maxLength: 8 });

/** Requests that are submitted together are applied in the order in which they were submitted. */
export function model(batches: readonly UpsertRequest['patches'][]): Map<string, Record<string, JsonValue>> {
  const accounts = new Map<string, Record<string, JsonValue>>();
  for (const { accountId, fields } of batches.flat()) {
    const account = { ...accounts.get(accountId), ...fields };
    accounts.set(
      accountId,
      Object.fromEntries(Object.entries(account).filter(([, value]) => value !== null)),
    );
  }
  return accounts;
}

export function replay(history: Awaited<ReturnType<Store['history']['read']>>): Record<string, JsonValue> {
  const fields = Object.assign({}, ...history.map(({ changes }) => changes)) as Record<
    string,
    [JsonValue, JsonValue]
  >;
  const latest = Object.entries(fields).map(([name, [, to]]) => [name, to] as const);
  return Object.fromEntries(latest.filter(([, to]) => to !== null));
}
