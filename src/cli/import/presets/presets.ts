import { HUBSPOT } from './hubspot.js';
import { PIPEDRIVE } from './pipedrive.js';
import type { Preset, PresetName } from './preset.js';
import { SALESFORCE } from './salesforce.js';
import { STRIPE } from './stripe.js';

export const PRESETS: readonly Preset[] = [SALESFORCE, HUBSPOT, STRIPE, PIPEDRIVE];

/** The preset of the system whose export has these columns, in any order and among others. */
export function recognisePreset(columns: readonly string[]): Preset | undefined {
  const present = new Set(columns.map(comparable));
  return PRESETS.find(({ signatures }) =>
    signatures.some((signature) => signature.every((column) => present.has(comparable(column)))),
  );
}

function comparable(column: string): string {
  return column.trim().toLowerCase();
}

/** The preset that `--from` names, or else the one that the columns show. */
export function findPreset(
  from: PresetName | 'none' | undefined,
  columns: readonly string[],
): Preset | undefined {
  if (from === 'none') return undefined;
  return from === undefined ? recognisePreset(columns) : PRESETS.find(({ name }) => name === from);
}
