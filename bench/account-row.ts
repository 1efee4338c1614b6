import type { AccountRecord } from './account-source.js';

/** A record as the columns that hold it. */
export function accountRow({ account_id, parent_account_id, name, ...others }: AccountRecord) {
  return { id: account_id.toLowerCase(), parent: parent_account_id, name, fields: JSON.stringify(others) };
}
