import type { Account } from '../../dist/domain/account.js';
import type { AccountChange } from '../../dist/store/changes/account-history.js';

/** A value whose history is erased: it matches any value. */
const ANY = Symbol('any');

/** Replays the changes of an account, and collects inconsistencies. */
export class AccountReplay {
  readonly problems: string[] = [];
  readonly #accountId: string;
  readonly #fields = new Map<string, string | typeof ANY>();
  #revision = 0;
  #exists = false;

  constructor(accountId: string) {
    this.#accountId = accountId;
  }

  apply({ revision, kind, isErased, changes }: AccountChange): void {
    if (revision !== this.#revision + 1) this.#addProblem(`revision ${revision} after ${this.#revision}`);
    if ((kind === 'created') === this.#exists) this.#addProblem(`${kind} at ${revision}`);
    for (const [field, [from, to]] of Object.entries(changes)) {
      const before = this.#fields.get(field) ?? 'null';
      if (!isErased && before !== ANY && before !== JSON.stringify(from)) {
        this.#addProblem(`${field} from ${JSON.stringify(from)} at ${revision}, was ${before}`);
      }
      if (to === null) this.#fields.delete(field);
      else this.#fields.set(field, isErased ? ANY : JSON.stringify(to));
    }
    this.#revision = revision;
    this.#exists = kind !== 'deleted';
  }

  /** Compares the replayed state with the stored account, which may be deleted. */
  compare(account: Account | undefined): void {
    const { revision = 0, deletedAt = 0, fields = {} } = account ?? {};
    const stored = Object.entries(fields);
    const isSame =
      revision === this.#revision &&
      (deletedAt === null) === this.#exists &&
      stored.length === this.#fields.size &&
      stored.every(([name, value]) =>
        [ANY, JSON.stringify(value)].includes(this.#fields.get(name) ?? 'null'),
      );
    if (!isSame) this.#addProblem(`${JSON.stringify(account)} after ${this.#revision} revisions`);
  }

  #addProblem(problem: string): void {
    this.problems.push(`${this.#accountId}: ${problem}`);
  }
}
