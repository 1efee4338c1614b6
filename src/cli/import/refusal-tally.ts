import type { FailedResult } from '@account-sync/client';

/** Beyond this many kinds, further ones are only counted together. */
const MOST_KINDS = 1_000;
const OTHERS = 'Other reasons.';

/** A reason for which records were refused, with the first of them. */
export interface RefusalKind {
  readonly message: string;
  count: number;
  readonly line: number;
  readonly account_id: string | null;
}

/** Which reasons are how frequent: the same sentence about different accounts is one. */
export class RefusalTally {
  readonly #kinds: Map<string, RefusalKind>;

  constructor(kinds: readonly RefusalKind[] = []) {
    this.#kinds = new Map(kinds.map((kind) => [kind.message, kind]));
  }

  add(line: number, accountId: string | null, messages: readonly string[]): void {
    for (const said of messages) {
      const general = generalised(said, accountId);
      const isNew = !this.#kinds.has(general);
      const message = isNew && this.#kinds.size >= MOST_KINDS ? OTHERS : general;
      const kind = this.#kinds.get(message);
      if (kind !== undefined) kind.count += 1;
      else this.#kinds.set(message, { message, count: 1, line, account_id: accountId });
    }
  }

  /** The most frequent first. */
  kinds(): RefusalKind[] {
    return [...this.#kinds.values()].sort((a, b) => b.count - a.count);
  }
}

export function messagesOf({ errors, problem }: FailedResult): string[] {
  return problem === undefined ? Object.values(errors ?? {}).flat() : [problem];
}

function generalised(message: string, accountId: string | null): string {
  const about = `Account ${accountId ?? ''},`;
  const general = message.startsWith(about) ? `Account …,${message.slice(about.length)}` : message;
  return general.replace(/ at line \d+, column \d+/, '');
}
