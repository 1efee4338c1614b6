import type { Change, FieldChange, Json } from '@account-sync/client';
import { firstCharacters, isLongerThan } from '../domain/text.js';
import { printable } from './printable.js';

const MAX_FIELDS = 8;
const MAX_LENGTH = 40;

/** A change in one line, for people. */
export function describeChange({ cursor, at, account_id, kind, changes }: Change): string {
  const fields = changes.slice(0, MAX_FIELDS).map(describeField);
  const more = changes.length - MAX_FIELDS;
  if (more > 0) fields.push(`and ${more} more`);
  const line = [cursor, at, account_id, kind, fields.join(', ')].join('  ');
  return printable(line.trimEnd());
}

function describeField({ field, from, to }: FieldChange): string {
  return `${shortened(field)} ${describeValue(from)} → ${describeValue(to)}`;
}

function describeValue(value: Json): string {
  return value === null ? '–' : shortened(JSON.stringify(value));
}

function shortened(text: string): string {
  return isLongerThan(text, MAX_LENGTH) ? `${firstCharacters(text, MAX_LENGTH - 1)}…` : text;
}
