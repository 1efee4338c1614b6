import fc, { type Arbitrary } from 'fast-check';

/** One of them, some more often than others. */
export const weighed = <T>(...arbitraries: (readonly [weight: number, arbitrary: Arbitrary<T>])[]) =>
  fc.oneof(...arbitraries.map(([weight, arbitrary]) => ({ weight, arbitrary })));
