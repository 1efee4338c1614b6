import { sentId } from './canonical-id.js';
import { isObject, type Json } from './stored-value.js';
import type { Refused } from './tenant-model.js';
import type { Verdict } from './verdict.js';

const first191 = (text: string) => [...text].slice(0, 191).join('');

/** As sent, and no longer than an id may be; null where there is none. */
export function shownId(record: Json): string | null {
  const id = isObject(record) ? sentId(record.account_id) : undefined;
  return id === undefined || id === '' ? null : first191(id);
}

/** What no database keeps is shown by a sign in its place. */
const shown = (text: string) => text.toWellFormed().replaceAll('\0', '\ufffd');

/** As it is found among the rejections. */
export function refusedRecord(
  record: Json,
  { errors = new Map() }: Verdict,
  index: number | null,
): Partial<Refused> {
  const id = shownId(record);
  const texts = [...errors].map(([field, messages]) => [shown(field), messages.map(shown)]);
  return { index, account_id: id && shown(id), errors: Object.fromEntries(texts), record };
}
