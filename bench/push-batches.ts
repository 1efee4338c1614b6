import type { AccountSync } from '@account-sync/client';

const RECORDS = 200;
const CONNECTIONS = 8;

/** Does some work in a run of its own; returns its id. */
export async function inRun(client: AccountSync, work: (id: string) => Promise<unknown>): Promise<string> {
  const { id } = await client.openRun();
  await work(id);
  await client.finishRun(id);
  return id;
}

export interface PushedAccounts {
  readonly run?: string;
  /** The number of the first account, and how many there are. */
  readonly first: number;
  readonly accounts: number;
  /** Accounts of another version have other values. */
  readonly version: number;
}

/** Sends batches of the contract on several connections; returns the seconds it took. */
export async function pushBatches(
  { url, key }: { readonly url: string; readonly key: string },
  { run, first, accounts, version }: PushedAccounts,
): Promise<number> {
  const startedAt = performance.now();
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    ...(run !== undefined && { 'account-sync-run': run }),
  };
  let next = 0;
  const send = async () => {
    while (next < accounts) {
      const from = first + next;
      next += RECORDS;
      const body = JSON.stringify(Array.from({ length: RECORDS }, (_, i) => recordOf(from + i, version)));
      const response = await fetch(`${url}/api/v1_1/accounts`, { method: 'POST', headers, body });
      const text = await response.text();
      if (!response.ok) throw new Error(text);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, send));
  return (performance.now() - startedAt) / 1000;
}

function recordOf(number: number, version: number) {
  return {
    account_id: `account-${number}`,
    name: `Account ${number}`,
    licenses: number + version,
    custom_Tier: version % 2 === 0 ? 'gold' : 'silver',
    industry: 'Software',
    region: 'EU',
  };
}

export function median(all: readonly number[]): number {
  return all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? Number.NaN;
}
