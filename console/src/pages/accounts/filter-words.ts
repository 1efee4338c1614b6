import type { Attribute } from '@account-sync/client';
import type { AccountFilter } from '../../api/account-list';
import { formatDay, formatLocalShort } from '../../parts/format';
import { NO_FILTER } from './listing';

/** One filter, in words, and what is left without it. */
export interface Chip {
  readonly words: string;
  readonly without: Partial<AccountFilter>;
}

export const SPANS = {
  hour: 'in the last hour',
  day: 'in the last day',
  week: 'in the last week',
} as const;

export function chipsOf(filter: AccountFilter, attributes: readonly Attribute[]): Chip[] {
  const { parent, changed } = filter;
  return [
    ...filter.attributes.map((text) => ({
      words: attributeWords(text, attributes),
      without: { attributes: filter.attributes.filter((other) => other !== text) },
    })),
    ...(parent === '' ? [] : [{ words: `Parent: ${parent}`, without: { parent: NO_FILTER.parent } }]),
    ...(changed === ''
      ? []
      : [{ words: `Changed ${changedWords(changed)}`, without: { changed: NO_FILTER.changed } }]),
  ];
}

function attributeWords(text: string, attributes: readonly Attribute[]): string {
  const { name, value } = splitAttribute(text);
  const type = attributes.find((attribute) => attribute.name === name)?.type;
  return `${name}: ${valueWords(value, type)}`;
}

export function splitAttribute(text: string): { readonly name: string; readonly value: string } {
  const colon = text.indexOf(':');
  return colon === -1
    ? { name: text, value: '' }
    : { name: text.slice(0, colon), value: text.slice(colon + 1) };
}

function valueWords(value: string, type: Attribute['type'] | undefined): string {
  if (type === 'boolean') return value === 'true' ? 'Yes' : 'No';
  if (type === 'date' && /^\d{4}-\d\d-\d\d$/.test(value)) return formatDay(value);
  if (type === 'datetime' && !Number.isNaN(Date.parse(value))) return formatLocalShort(value);
  return value;
}

function changedWords(changed: string): string {
  if (Object.hasOwn(SPANS, changed)) return SPANS[changed as keyof typeof SPANS];
  return Number.isNaN(Date.parse(changed)) ? `since ${changed}` : `since ${formatLocalShort(changed)}`;
}
