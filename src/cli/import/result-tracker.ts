import type { ImportResult } from '@account-sync/client';
import type { ChangeSample } from './change-sample.js';
import type { ImportItem } from './items.js';
import type { RejectedRow } from './rejected-row-formatter.js';
import {
  type FieldMessage,
  messagesOf,
  type ReadOriginal,
  type RejectionReason,
  RejectionReasons,
} from './rejection-reasons.js';
import type { RejectsCheckpoint } from './rejects-file.js';

/** How many records show whether this is the right file. */
export const FIRST_RECORDS = 1_000;

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

/** Where rejected rows go. */
interface Rejects {
  readonly checkpoint?: RejectsCheckpoint;
  add(item: ImportItem, rejection: RejectedRow): void;
  /** Throws if they cannot be stored. */
  flush(): void;
}

interface TrackerParts {
  readonly rejects?: Rejects | undefined;
  readonly sample?: ChangeSample | undefined;
  readonly original?: ReadOriginal;
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
  /** The counts of the first records of this run. */
  readonly first = { records: 0, refused: 0 };
  readonly #reasons: RejectionReasons;
  readonly #pending: ImportItem[] = [];
  readonly #rejects: Rejects | undefined;
  readonly #sample: ChangeSample | undefined;
  readonly #original: ReadOriginal;

  constructor({ rejects, sample, original = () => undefined }: TrackerParts, earlier?: ImportState) {
    this.#original = original;
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
      this.#reject(this.#take(), null, [{ field: null, message: first.problem }]);
    }
  }

  #take(): ImportItem {
    const item = this.#pending.shift();
    if (item === undefined) throw new Error('More results came than records were sent.');
    this.records += 1;
    if (this.first.records < FIRST_RECORDS) this.first.records += 1;
    this.line = item.line;
    return item;
  }

  #reject(item: ImportItem, accountId: string | null, messages: readonly FieldMessage[]): void {
    this.counts.refused += 1;
    if (this.records <= FIRST_RECORDS) this.first.refused += 1;
    if (accountId === null) this.unidentified += 1;
    this.#reasons.add(item, accountId, messages, this.#original);
    this.#rejects?.add(item, { accountId, messages: messages.map(({ message }) => message) });
  }
}
