import { sentId } from './canonical-id.js';
import { isObject, type Json } from './stored-value.js';
import type { Rejection } from './tenant-model.js';
import type { ValidationResult } from './validate-record.js';

const first191 = (text: string) => [...text].slice(0, 191).join('');

/** The id as sent, cut to the length limit of ids; `null` if there is none. */
export function shownId(record: Json): string | null {
  const id = isObject(record) ? sentId(record.account_id) : undefined;
  return id === undefined || id === '' ? null : first191(id);
}

/** Replaces characters that the databases cannot store. */
const shown = (text: string) => text.toWellFormed().replaceAll('\0', '\ufffd');

/** The entry for a record in the list of rejections. */
export function rejectedRecord(
  record: Json,
  { errors = new Map() }: ValidationResult,
  index: number | null,
): Partial<Rejection> {
  const id = shownId(record);
  const texts = [...errors].map(([field, messages]) => [shown(field), messages.map(shown)]);
  return { index, account_id: id && shown(id), errors: Object.fromEntries(texts), record };
}
