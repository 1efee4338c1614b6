import type { AccountRecord, Json } from '@account-sync/client';
import fc from 'fast-check';

const SPECIAL = fc.constantFrom(...'=+-@＝＋\'",;|\t\r\n :json{}[]0ä🔥\ufeff\u2028');
const anyText = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: SPECIAL }));
const anyNumber = fc.oneof(fc.maxSafeInteger(), fc.double({ noNaN: true, min: -1e15, max: 1e15 }));
const { json: anyJson } = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(anyText, anyNumber, fc.boolean(), fc.constant(null)),
    fc.array(tie('json'), { maxLength: 3 }),
    fc.dictionary(
      anyText.filter((key) => key !== '__proto__'),
      tie('json'),
      { maxKeys: 3 },
    ),
  ),
}));
const anyAccount = fc.record({
  parent_account_id: fc.option(anyText),
  name: fc.option(anyText),
  custom_Note: fc.option(anyText),
  custom_Ratio: fc.option(anyNumber),
  custom_Is_Valid: fc.option(fc.boolean()),
  text: fc.option(anyText),
  'json:json': fc.option(anyJson),
  ' =mixed': fc.option(anyJson),
});

/** Pseudo-random accounts with unusual values; the same seed gives the same accounts. */
export function randomAccounts(count: number, seed: number): AccountRecord[] {
  const records = fc.sample(anyAccount, { seed, numRuns: count });
  return records.map((fields, at) => ({ account_id: `chance-${at}`, ...fields }));
}
