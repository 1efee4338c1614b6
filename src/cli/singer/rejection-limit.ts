import { grouped } from '../../domain/text.js';
import type { ResultTracker } from '../import/result-tracker.js';
import { CommandFailed } from '../terminal/command-line.js';

const SAMPLE = 1_000;
/** A shorter input is no sample: an incremental tap may send one record, and that may be rejected. */
const MIN_SAMPLE = 100;

type Results = Pick<ResultTracker, 'records' | 'counts'>;

/**
 * Stops an input of which most records are rejected, because then the mapping is wrong rather than the records. It
 * judges the first thousand records, or all of a shorter input.
 */
export class RejectionLimit {
  readonly #percent: number;
  #isKept = false;

  constructor(percent: number) {
    this.#percent = percent;
  }

  check(results: Results, isEnd: boolean): void {
    const { records } = results;
    if (this.#isKept) return;
    // Before the sample is complete, this finds out whether it can still be within the limit.
    const isBroken = isEnd
      ? records >= MIN_SAMPLE && this.#isAbove(results)
      : this.#isAbove(results, Math.max(records, SAMPLE));
    if (isBroken) throw this.#failure(results);
    this.#isKept = isEnd || records >= SAMPLE;
  }

  /** Whether the limit may still be broken. No state is then written, so that the rejected records come again. */
  isInDoubt(results: Results): boolean {
    return !this.#isKept && this.#isAbove(results);
  }

  #isAbove({ records, counts }: Results, of = records): boolean {
    return 100 * counts.refused > this.#percent * of;
  }

  #failure({ records, counts }: Results): CommandFailed {
    return new CommandFailed(
      `${grouped(counts.refused)} of the first ${grouped(records)} records were rejected, more than ${this.#percent} %. ` +
        'Correct the mapping or the attributes and run the pipeline again; no state was written after these records. ' +
        'If they are to be rejected, allow it with --max-rejected 100.',
    );
  }
}
