import type { AccountEdit, Attribute } from '@account-sync/client';
import { controlFor, type EnteredField, isOwnProperty, valueOfText } from '../../../components/value-control';

/** The unsaved choice of a field and its value. */
export interface FieldDraft {
  /** Null before one is chosen. */
  readonly field: string | null;
  readonly text: string;
  readonly isCleared: boolean;
}

export const NEW_DRAFT: FieldDraft = { field: null, text: '', isCleared: false };

const NAME: EnteredField = { name: 'name', type: 'text', choices: [] };
const PARENT: EnteredField = { name: 'parent_account_id', type: 'text', choices: [] };

/** The name and the parent, then the attributes that can be changed. */
export function settableFields(attributes: readonly Attribute[]): EnteredField[] {
  const changeable = attributes.filter(({ name, read_only }) => !read_only && !isOwnProperty(name));
  return [NAME, PARENT, ...changeable.toSorted((a, b) => a.name.localeCompare(b.name))];
}

/** Undefined if the value is missing. */
export function editOf({ text, isCleared }: FieldDraft, field: EnteredField): AccountEdit | undefined {
  const value = isCleared ? null : valueOfText(field, controlFor(field), text);
  if (value === null && !isCleared) return undefined;
  const { name } = field;
  return isOwnProperty(name) ? { [name]: value } : { fields: { [name]: value } };
}

/** The path of the value in the body, for `fieldError`. */
export function valuePath(name: string): string {
  return isOwnProperty(name) ? `set/${name}` : `set/fields/${name}`;
}
