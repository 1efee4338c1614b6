/** The records of a request: all new; new and changed in turn; all changed; or all equal to what is stored. */
export type Mix = 'new' | 'mixed' | 'changed' | 'same';

/** The state of a source, so that another process can continue the load. */
export interface Counters {
  readonly created: number;
  readonly changes: number;
  /** Position in the current pass over the stored accounts, and the number of accounts in the pass. */
  readonly position: number;
  readonly span: number;
}

export type AccountRecord = ReturnType<AccountSource['next']>[number];

/** A prime larger than any number of accounts here, so its multiples modulo that number visit each account once. */
export const STRIDE = 15_485_863;
/** Larger than the licenses of any new account, so that every change record really changes the account. */
export const CHANGED_LICENSES = 100_000_000;

/** Generates accounts like those of a CRM. Changes are spread over all stored accounts. `load.lua` does the same. */
export class AccountSource {
  counters: Counters = { created: 0, changes: 0, position: 0, span: 0 };

  constructor(readonly prefix: string) {}

  next(mix: Mix, count: number) {
    let { created, changes, position, span } = this.counters;
    // A new pass starts only between requests: within one request, an account could occur twice.
    if (span - position < count) {
      position = 0;
      span = created;
    }
    const records = Array.from({ length: count }, () => {
      if (mix === 'new' || (mix === 'mixed' && (created + changes) % 2 === 0)) {
        created += 1;
        return this.#record(created, created);
      }
      position += 1;
      const id = 1 + ((position * STRIDE) % span);
      if (mix === 'same') return this.#record(id, id);
      changes += 1;
      return this.#record(id, CHANGED_LICENSES + changes);
    });
    this.counters = { created, changes, position, span };
    return records;
  }

  #record(id: number, licenses: number) {
    return {
      account_id: `${this.prefix}-${id}`,
      parent_account_id: `holding-${id % 100}`,
      name: `Account number ${id}`,
      licenses,
      custom_Is_Valid: id % 2 === 0,
      custom_External_Created_On: '2021-05-31',
      custom_External_Created_At: '2021-05-31T10:20:30Z',
    };
  }
}
