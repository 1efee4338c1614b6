/**
 * What the records of a request are to a server: all new; by turns new and a change; all changes; or all as they are
 * stored already.
 */
export type Mix = 'new' | 'mixed' | 'changed' | 'same';

/** Where a source stands, so that the load can go on in another process. */
export interface Counters {
  readonly created: number;
  readonly changes: number;
  /** How far the present walk over the stored accounts has come, and over how many it goes. */
  readonly walked: number;
  readonly span: number;
}

export type AccountRecord = ReturnType<AccountSource['next']>[number];

/** A prime beyond any number of accounts here: multiples of it, modulo that number, meet each account once. */
export const STRIDE = 15_485_863;
/** No account was created with so many licenses, so each change is one. */
export const CHANGED_LICENSES = 100_000_000;

/** Accounts as a CRM would send them; those to change are spread over all that are stored. `load.lua` does the same. */
export class AccountSource {
  counters: Counters = { created: 0, changes: 0, walked: 0, span: 0 };

  constructor(readonly prefix: string) {}

  next(mix: Mix, count: number) {
    let { created, changes, walked, span } = this.counters;
    // Not in the middle of a request, where an account could come twice.
    if (span - walked < count) {
      walked = 0;
      span = created;
    }
    const records = Array.from({ length: count }, () => {
      if (mix === 'new' || (mix === 'mixed' && (created + changes) % 2 === 0)) {
        created += 1;
        return this.#record(created, created);
      }
      walked += 1;
      const id = 1 + ((walked * STRIDE) % span);
      if (mix === 'same') return this.#record(id, id);
      changes += 1;
      return this.#record(id, CHANGED_LICENSES + changes);
    });
    this.counters = { created, changes, walked, span };
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
