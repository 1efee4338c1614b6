import type { AttributeType } from '../../../domain/attribute-types.js';
import type { DateOrder, Reading } from './reading.js';
import { readingsOfType } from './readings-of-type.js';

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
  if (names.length > 0) {
    const named = names.filter((name) => name !== AS_IS);
    // `day` has no order of its own: the one that is named beside it, or else for all dates.
    const orders = named.filter((name) => name === 'mdy' || name === 'dmy');
    const order = orders.length === 1 ? orders[0] : dates;
    const isMeant = (reading: Reading) =>
      reading.order === undefined ||
      order === undefined ||
      reading.order === order ||
      reading.order === reading.name;
    return {
      readings: named.flatMap((name) => all.filter((reading) => reading.name === name && isMeant(reading))),
      unknown: named.filter((name) => all.every((reading) => reading.name !== name)),
    };
  }
  const isOtherOrder = (name: string) => (name === 'mdy' || name === 'dmy') && name !== dates;
  const readings = all.filter(
    ({ name, isExplicit }) => !isExplicit && !(dates !== undefined && isOtherOrder(name)),
  );
  return { readings, unknown: [] };
}
