import type { AccountRecord } from './account-source.js';

/** The column values of a record. */
export function accountRow({ account_id, parent_account_id, name, ...others }: AccountRecord) {
  return { id: account_id.toLowerCase(), parent: parent_account_id, name, fields: JSON.stringify(others) };
}
