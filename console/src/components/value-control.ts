import type { Attribute, Json } from '@account-sync/client';

/** An attribute, or the name or parent of an account, which are entered like one. */
export type EnteredField = Pick<Attribute, 'name' | 'type' | 'choices'>;

/** How a value is entered. */
export type Control = 'line' | 'text' | 'number' | 'select' | 'date' | 'datetime-local';

const CONTROLS: Readonly<Record<Attribute['type'], Control>> = {
  text: 'text',
  integer: 'number',
  decimal: 'number',
  boolean: 'select',
  date: 'date',
  datetime: 'datetime-local',
  choice: 'select',
};

/** Fields of every account, which are not among its `fields`. */
const OWN_PROPERTIES = ['name', 'parent_account_id'] as const;

export function isOwnProperty(name: string): name is (typeof OWN_PROPERTIES)[number] {
  return (OWN_PROPERTIES as readonly string[]).includes(name);
}

export function controlFor({ name, type }: EnteredField): Control {
  return isOwnProperty(name) ? 'line' : CONTROLS[type];
}

/** The value to send; null without a text. Numbers are sent as text, so that the server reads exactly what was entered. */
export function valueOfText({ type }: EnteredField, control: Control, text: string): Json {
  if ((control === 'text' ? text : text.trim()) === '') return null;
  if (control === 'datetime-local') return `${text}Z`;
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}
