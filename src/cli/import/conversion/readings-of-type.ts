import type { Json } from '@account-sync/client';
import { type AttributeType, readValue } from '../../../domain/attribute-types.js';
import { caseSafeId } from '../presets/salesforce-id.js';
import { DATE_READINGS, DATE_TIME_READINGS } from './date-readings.js';
import { numberReadings } from './number-readings.js';
import type { Reading } from './reading.js';

const WORDS: ReadonlyMap<string, boolean> = new Map([
  ...['yes', 'y', 't', 'on', 'true', '1'].map((word) => [word, true] as const),
  ...['no', 'n', 'f', 'off', 'false', '0'].map((word) => [word, false] as const),
]);
const YES_NO: Reading = {
  name: 'yes-no',
  label: 'yes/no',
  read: (text) => WORDS.get(text.toLowerCase()),
};

/** Used for ids only if a preset or `--convert` names it. */
export const SALESFORCE_ID: Reading = {
  name: 'salesforce',
  label: 'Salesforce ids in the form without case',
  read: caseSafeId,
  isExplicit: true,
};

/** The ways to read a text that the server does not accept as it is; none for text, which is never converted. */
export function readingsOfType(attribute: AttributeType): readonly Reading[] {
  const trimmed: Reading = {
    name: 'trim',
    label: 'without blanks around it',
    read: (text) => (readValue(text, attribute) === undefined ? undefined : (text as Json)),
  };
  switch (attribute.type) {
    case 'integer':
    case 'decimal':
      return numberReadings(attribute.type);
    case 'boolean':
      return [YES_NO];
    case 'date':
      return [trimmed, ...DATE_READINGS];
    case 'datetime':
      return [trimmed, ...DATE_TIME_READINGS];
    case 'choice':
      return [trimmed, ignoreCase(attribute.choices)];
    case 'text':
      return [];
  }
}

/** The only choice that is equal to the text but for case and the blanks around it. */
function ignoreCase(choices: readonly string[]): Reading {
  const byText = new Map<string, string | undefined>();
  for (const choice of choices) {
    const key = choice.trim().toLowerCase();
    byText.set(key, byText.has(key) ? undefined : choice);
  }
  return { name: 'ignore-case', label: 'case ignored', read: (text) => byText.get(text.toLowerCase()) };
}
