import type { Attribute } from '@account-sync/client';
import type { AccountFilter } from '../../api/account-list';
import type { FindField } from '../../api/fields';
import { unitText } from '../../components/field-value';
import { formatDay, formatLocalShort } from '../../components/format';
import { NO_FILTER } from './listing';

/** Label of one filter, and the filters without it. */
export interface Chip {
  readonly label: string;
  readonly title?: string | undefined;
  readonly without: Partial<AccountFilter>;
}

export const SPANS = {
  hour: 'in the last hour',
  day: 'in the last day',
  week: 'in the last week',
} as const;

/** Whether archived accounts are listed. By default they are hidden. */
export const ARCHIVED: Readonly<Record<AccountFilter['archived'], string>> = {
  '': 'hidden',
  include: 'shown',
  only: 'only',
};

export function chipsOf(filter: AccountFilter, find: FindField): Chip[] {
  const { parent, changed, archived } = filter;
  return [
    ...filter.attributes.map((text) => ({
      ...attributeLabel(text, find),
      without: { attributes: filter.attributes.filter((other) => other !== text) },
    })),
    ...(parent === '' ? [] : [{ label: `Parent: ${parent}`, without: { parent: NO_FILTER.parent } }]),
    ...(changed === ''
      ? []
      : [{ label: `Changed ${changedLabel(changed)}`, without: { changed: NO_FILTER.changed } }]),
    ...(archived === ''
      ? []
      : [{ label: `Archived: ${ARCHIVED[archived]}`, without: { archived: NO_FILTER.archived } }]),
  ];
}

function attributeLabel(text: string, find: FindField): Pick<Chip, 'label' | 'title'> {
  const { name, value } = splitAttribute(text);
  const { label, title, attribute } = find(name);
  return { label: `${label}: ${valueLabel(value, attribute?.type)}${unitText(attribute?.unit)}`, title };
}

export function splitAttribute(text: string): { readonly name: string; readonly value: string } {
  const colon = text.indexOf(':');
  return colon === -1
    ? { name: text, value: '' }
    : { name: text.slice(0, colon), value: text.slice(colon + 1) };
}

function valueLabel(value: string, type: Attribute['type'] | undefined): string {
  if (type === 'boolean') return value === 'true' ? 'Yes' : 'No';
  if (type === 'date' && /^\d{4}-\d\d-\d\d$/.test(value)) return formatDay(value);
  if (type === 'datetime' && !Number.isNaN(Date.parse(value))) return formatLocalShort(value);
  return value;
}

function changedLabel(changed: string): string {
  if (Object.hasOwn(SPANS, changed)) return SPANS[changed as keyof typeof SPANS];
  return Number.isNaN(Date.parse(changed)) ? `since ${changed}` : `since ${formatLocalShort(changed)}`;
}
