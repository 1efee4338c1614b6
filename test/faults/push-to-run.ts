import type { AccountRecord, AccountSync } from '@account-sync/client';
import { expect } from 'vitest';

/** Sends records that belong to a run, none of which may fail. */
export async function pushToRun(
  client: AccountSync,
  records: Iterable<AccountRecord>,
  run: string,
): Promise<void> {
  for await (const { status } of client.upsertMany(records, { run })) expect(status).not.toBe('failed');
}
