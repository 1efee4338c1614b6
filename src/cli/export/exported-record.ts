import type { Account, Json } from '@account-sync/client';

/** An account as an import takes it, without the fields that it would refuse. */
export type ExportedRecord = Readonly<Record<string, Json>>;

export function exportedRecord(account: Account, leftOut: ReadonlySet<string>): ExportedRecord {
  const { account_id, parent_account_id, name, fields } = account;
  return {
    account_id,
    ...(parent_account_id !== null && { parent_account_id }),
    ...(name !== null && { name }),
    ...Object.fromEntries(Object.entries(fields).filter(([field]) => !leftOut.has(field))),
  };
}
