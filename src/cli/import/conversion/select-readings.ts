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
  if (names.length > 0) {
    const named = names.filter((name) => name !== AS_IS);
    return {
      readings: named.flatMap((name) => all.filter((reading) => reading.name === name)),
      unknown: named.filter((name) => all.every((reading) => reading.name !== name)),
    };
  }
  const isOtherOrder = (name: string) => (name === 'mdy' || name === 'dmy') && name !== dates;
  const readings = all.filter(
    ({ name, isExplicit }) => !isExplicit && !(dates !== undefined && isOtherOrder(name)),
  );
  return { readings, unknown: [] };
}
