import type { Account } from '../../dist/domain/account.js';
import type { AccountChange } from '../../dist/store/changes/account-history.js';

/** Stands for a value whose history is erased. */
const ANY = Symbol('any');

/** Where the changes of an account lead, and what is wrong with them. */
export class AccountReplay {
  readonly problems: string[] = [];
  readonly #accountId: string;
  readonly #fields = new Map<string, string | typeof ANY>();
  #revision = 0;
  #isThere = false;

  constructor(accountId: string) {
    this.#accountId = accountId;
  }

  apply({ revision, kind, isErased, changes }: AccountChange): void {
    if (revision !== this.#revision + 1) this.#note(`revision ${revision} behind ${this.#revision}`);
    if ((kind === 'created') === this.#isThere) this.#note(`${kind} at ${revision}`);
    for (const [field, [from, to]] of Object.entries(changes)) {
      const before = this.#fields.get(field) ?? 'null';
      if (!isErased && before !== ANY && before !== JSON.stringify(from)) {
        this.#note(`${field} from ${JSON.stringify(from)} at ${revision}, was ${before}`);
      }
      if (to === null) this.#fields.delete(field);
      else this.#fields.set(field, isErased ? ANY : JSON.stringify(to));
    }
    this.#revision = revision;
    this.#isThere = kind !== 'deleted';
  }

  /** `account` is what is stored; deleted ones included. */
  compare(account: Account | undefined): void {
    const { revision = 0, deletedAt = 0, fields = {} } = account ?? {};
    const stored = Object.entries(fields);
    const isSame =
      revision === this.#revision &&
      (deletedAt === null) === this.#isThere &&
      stored.length === this.#fields.size &&
      stored.every(([name, value]) =>
        [ANY, JSON.stringify(value)].includes(this.#fields.get(name) ?? 'null'),
      );
    if (!isSame) this.#note(`${JSON.stringify(account)} after ${this.#revision} revisions`);
  }

  #note(problem: string): void {
    this.problems.push(`${this.#accountId}: ${problem}`);
  }
}
