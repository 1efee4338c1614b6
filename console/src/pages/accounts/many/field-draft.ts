import type { AccountEdit } from '@account-sync/client';
import { controlFor, type EnteredField, isOwnProperty, valueOfText } from '../../../components/value-control';

/** The unsaved choice of a field and its value. */
export interface FieldDraft {
  /** Null before one is chosen. */
  readonly field: string | null;
  readonly text: string;
  readonly isCleared: boolean;
}

export const NEW_DRAFT: FieldDraft = { field: null, text: '', isCleared: false };

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
