import type { Account } from '@account-sync/client';
import { grouped, type StatusLine } from '../status-line.js';
import { type ExportedRecord, exportedRecord } from './exported-record.js';

/** Counts the accounts that pass, and shows how many did. */
export class Count {
  accounts = 0;
  readonly #line: StatusLine;
  readonly #isShown: boolean;
  readonly #startedAt = performance.now();

  /** Not shown where the accounts themselves go to the terminal. */
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
