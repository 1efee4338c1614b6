import type { AttributeType } from '../../../domain/attribute-types.js';
import type { Reading } from './reading.js';
import { readingsOfType } from './readings-of-type.js';

export type DateOrder = 'dmy' | 'mdy';

/** The name of `--convert` for values that are sent as they are. */
export const AS_IS = 'as-is';

/** What the user has said about the values of a column. */
export interface ChosenReadings {
  /** Names of readings; empty if the values show how they are written. */
  readonly names: readonly string[];
  readonly dates?: DateOrder | undefined;
}

/** The readings to try for a column, and the chosen names that its type does not have. */
export function selectReadings(
  attribute: AttributeType | undefined,
  { names, dates }: ChosenReadings,
): { readonly readings: readonly Reading[]; readonly unknown: readonly string[] } {
  const all = attribute === undefined ? [] : readingsOfType(attribute);
  const order = dates ?? names.map(orderOf).find((each) => each !== undefined);
  const isOtherOrder = ({ name }: Reading) => order !== undefined && (orderOf(name) ?? order) !== order;
  if (names.length === 0) {
    return { readings: all.filter((reading) => !reading.isExplicit && !isOtherOrder(reading)), unknown: [] };
  }
  const called = (name: string) =>
    all.filter((reading) => reading.name === name || (reading.group === name && !isOtherOrder(reading)));
  const named = names.filter((name) => name !== AS_IS);
  return {
    readings: [...new Set(named.flatMap(called))],
    unknown: named.filter((name) => called(name).length === 0),
  };
}

/** The order that the name of a reading says: `dmy`, `mdy-day`. */
export function orderOf(name: string): DateOrder | undefined {
  return (['dmy', 'mdy'] as const).find((order) => name.startsWith(order));
}
