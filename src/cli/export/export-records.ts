import type { Account, Json } from '@account-sync/client';
import { grouped } from '../../domain/text.js';
import type { StatusLine } from '../terminal/status-line.js';

/** Counts the exported accounts, and shows the number. */
export class ExportCounter {
  accounts = 0;
  readonly #line: StatusLine;
  readonly #isShown: boolean;
  readonly #startedAt = performance.now();

  /** `isShown` is false if the accounts themselves go to the terminal. */
  constructor(line: StatusLine, isShown: boolean) {
    this.#line = line;
    this.#isShown = isShown;
  }

  async *recordsOf(
    accounts: AsyncIterable<Account>,
    leftOut: ReadonlySet<string>,
  ): AsyncGenerator<ExportedRecord> {
    for await (const account of accounts) {
      yield exportedRecord(account, leftOut);
      this.accounts += 1;
      if (this.#isShown) this.#line.show(() => `${this}, ${grouped(this.#speed())} a second`);
    }
  }

  toString(): string {
    return this.accounts === 1 ? '1 account' : `${grouped(this.accounts)} accounts`;
  }

  #speed(): number {
    return Math.round((1000 * this.accounts) / (performance.now() - this.#startedAt));
  }
}

/** An account in the form that an import accepts, without read-only fields. */
export type ExportedRecord = Readonly<Record<string, Json>>;

function exportedRecord(account: Account, leftOut: ReadonlySet<string>): ExportedRecord {
  const { account_id, parent_account_id, name, fields } = account;
  return {
    account_id,
    ...(parent_account_id !== null && { parent_account_id }),
    ...(name !== null && { name }),
    ...Object.fromEntries(Object.entries(fields).filter(([field]) => !leftOut.has(field))),
  };
}
