import type { FailedResult, ImportResult } from '@account-sync/client';
import type { ChangeSample } from './change-sample.js';
import type { ImportItem } from './items.js';
import type { RejectsCheckpoint, RejectsFile } from './rejects-file.js';

/** `refused` is the name in the JSON output and in the progress file, so it stays for rejected records. */
export interface Counts {
  created: number;
  updated: number;
  unchanged: number;
  /** Records that do not fit the mode. */
  skipped: number;
  refused: number;
  /** Values that were left as they are, because another source owns the field. */
  kept: number;
}

/** The progress of an import, as stored in the progress file; another run resumes from it. */
export interface ImportState {
  readonly records: number;
  /** The line of the last processed record; 0 before the first. */
  readonly line: number;
  readonly counts: Readonly<Counts>;
  readonly refusals: readonly RejectionReason[];
  readonly rejects: RejectsCheckpoint | null;
  /** Rejected records of which it is not known which account they name. */
  readonly unidentified?: number;
  /** The run to which its records belong. */
  readonly run?: string | undefined;
}

/**
 * Matches results to the items that were read. Results arrive in the order of the items, so the pending items are a
 * queue; items that cannot be sent are settled as rejected when they reach its head. `records` and `line` therefore
 * always describe a prefix of the file, from which an import can resume.
 */
export class ResultTracker {
  records: number;
  line: number;
  unidentified: number;
  readonly counts: Counts;
  readonly #reasons: RejectionReasons;
  readonly #pending: ImportItem[] = [];
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
    this.unidentified = earlier?.unidentified ?? 0;
    this.counts = {
      created: 0,
      updated: 0,
      unchanged: 0,
      skipped: 0,
      refused: 0,
      kept: 0,
      ...earlier?.counts,
    };
    this.#reasons = new RejectionReasons(earlier?.refusals);
  }

  expect(item: ImportItem): void {
    this.#pending.push(item);
    this.#settleUnsent();
  }

  settle(result: ImportResult): void {
    const item = this.#take();
    if (result.status === 'failed') {
      this.#reject(item, result.account_id, messagesOf(result));
    } else {
      this.counts[result.status] += 1;
      this.counts.kept += result.kept?.length ?? 0;
      if (result.status === 'updated') this.#sample?.add(item, result);
    }
    this.#settleUnsent();
  }

  flush(): void {
    this.#rejects?.flush();
  }

  reasons(): RejectionReason[] {
    return this.#reasons.list();
  }

  /** The current state. Call `flush` first, so that the rejected rows are on disk. */
  state(): ImportState {
    return {
      records: this.records,
      line: this.line,
      counts: { ...this.counts },
      refusals: this.reasons(),
      rejects: this.#rejects?.checkpoint ?? null,
      ...(this.unidentified > 0 && { unidentified: this.unidentified }),
    };
  }

  #settleUnsent(): void {
    for (let first = this.#pending[0]; first?.problem !== undefined; first = this.#pending[0]) {
      this.#reject(this.#take(), null, [first.problem]);
    }
  }

  #take(): ImportItem {
    const item = this.#pending.shift();
    if (item === undefined) throw new Error('More results came than records were sent.');
    this.records += 1;
    this.line = item.line;
    return item;
  }

  #reject(item: ImportItem, accountId: string | null, messages: readonly string[]): void {
    this.counts.refused += 1;
    if (accountId === null) this.unidentified += 1;
    this.#reasons.add(item.line, accountId, messages);
    this.#rejects?.add(item, { accountId, messages });
  }
}

/** Beyond this number of different reasons, further ones are counted together. */
const MAX_REASONS = 1_000;
const OTHERS = 'Other reasons.';

/** A reason for rejections, with its count and the first rejected record. */
export interface RejectionReason {
  readonly message: string;
  count: number;
  readonly line: number;
  readonly account_id: string | null;
}

/** Counts reasons; the same message about different accounts counts as one reason. */
export class RejectionReasons {
  readonly #reasons: Map<string, RejectionReason>;

  constructor(reasons: readonly RejectionReason[] = []) {
    this.#reasons = new Map(reasons.map((reason) => [reason.message, reason]));
  }

  add(line: number, accountId: string | null, messages: readonly string[]): void {
    for (const sent of messages) {
      const general = generalised(sent, accountId);
      const isNew = !this.#reasons.has(general);
      const message = isNew && this.#reasons.size >= MAX_REASONS ? OTHERS : general;
      const reason = this.#reasons.get(message);
      if (reason !== undefined) reason.count += 1;
      else this.#reasons.set(message, { message, count: 1, line, account_id: accountId });
    }
  }

  /** The most frequent reason first. */
  list(): RejectionReason[] {
    return [...this.#reasons.values()].sort((a, b) => b.count - a.count);
  }
}

export function messagesOf({ errors, problem }: FailedResult): string[] {
  return problem === undefined ? Object.values(errors ?? {}).flat() : [problem];
}

/** The message without the account id and the position in the record. */
function generalised(message: string, accountId: string | null): string {
  const prefix = `Account ${accountId ?? ''},`;
  const general = message.startsWith(prefix) ? `Account …,${message.slice(prefix.length)}` : message;
  return general.replace(/ at line \d+, column \d+/, '');
}
