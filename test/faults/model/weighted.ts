import fc, { type Arbitrary } from 'fast-check';

/** One of the arbitraries, chosen by weight. */
export const weighted = <T>(...arbitraries: (readonly [weight: number, arbitrary: Arbitrary<T>])[]) =>
  fc.oneof(...arbitraries.map(([weight, arbitrary]) => ({ weight, arbitrary })));
