import type { FailedResult, ImportResult } from '@account-sync/client';
import type { ChangeSample } from './change-sample.js';
import type { Item } from './items.js';
import type { RejectsFile, RejectsNote } from './rejects-file.js';

export interface Counts {
  created: number;
  updated: number;
  unchanged: number;
  refused: number;
}

/** How far an import is; together with the file, all that another run needs to go on. */
export interface ImportState {
  readonly records: number;
  /** Of the last record that is dealt with; 0 before the first. */
  readonly line: number;
  readonly counts: Readonly<Counts>;
  readonly refusals: readonly RejectionReason[];
  readonly rejects: RejectsNote | null;
}

/** Keeps what was read until it is known what became of it, in the order in which it was read. */
export class ResultTracker {
  records: number;
  line: number;
  readonly counts: Counts;
  readonly #refusals: RejectionReasons;
  readonly #pending: Item[] = [];
  readonly #rejects: RejectsFile | undefined;
  readonly #sample: ChangeSample | undefined;

  constructor(
    { rejects, sample }: { rejects?: RejectsFile | undefined; sample?: ChangeSample | undefined },
    earlier?: ImportState,
  ) {
    this.#rejects = rejects;
    this.#sample = sample;
    this.records = earlier?.records ?? 0;
    this.line = earlier?.line ?? 0;
    this.counts = { ...(earlier?.counts ?? { created: 0, updated: 0, unchanged: 0, refused: 0 }) };
    this.#refusals = new RejectionReasons(earlier?.refusals);
  }

  expect(item: Item): void {
    this.#pending.push(item);
    this.#settleUnsent();
  }

  settle(result: ImportResult): void {
    const item = this.#take();
    if (result.status === 'failed') {
      this.#refuse(item, result.account_id, messagesOf(result));
    } else {
      this.counts[result.status] += 1;
      if (result.status === 'updated') this.#sample?.add(item, result);
    }
    this.#settleUnsent();
  }

  flush(): void {
    this.#rejects?.flush();
  }

  refusals(): RejectionReason[] {
    return this.#refusals.kinds();
  }

  /** As of now; the refused rows have to be on the disk. */
  state(): ImportState {
    return {
      records: this.records,
      line: this.line,
      counts: { ...this.counts },
      refusals: this.refusals(),
      rejects: this.#rejects?.note ?? null,
    };
  }

  #settleUnsent(): void {
    for (let first = this.#pending[0]; first?.problem !== undefined; first = this.#pending[0]) {
      this.#refuse(this.#take(), null, [first.problem]);
    }
  }

  #take(): Item {
    const item = this.#pending.shift();
    if (item === undefined) throw new Error('More results came than records were sent.');
    this.records += 1;
    this.line = item.line;
    return item;
  }

  #refuse(item: Item, accountId: string | null, messages: readonly string[]): void {
    this.counts.refused += 1;
    this.#refusals.add(item.line, accountId, messages);
    this.#rejects?.add(item, { accountId, messages });
  }
}

/** Beyond this many kinds, further ones are only counted together. */
const MOST_KINDS = 1_000;
const OTHERS = 'Other reasons.';

/** A reason for which records were refused, with the first of them. */
export interface RejectionReason {
  readonly message: string;
  count: number;
  readonly line: number;
  readonly account_id: string | null;
}

/** Which reasons are how frequent: the same sentence about different accounts is one. */
export class RejectionReasons {
  readonly #kinds: Map<string, RejectionReason>;

  constructor(kinds: readonly RejectionReason[] = []) {
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
  kinds(): RejectionReason[] {
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
