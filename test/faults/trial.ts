import { onTestFinished } from 'vitest';
import { LoadStatistics } from './load-statistics.js';

const IS_LONG = process.env.FAULTS === 'long';
const REPORT_INTERVAL_MS = 10_000;

declare module 'vitest' {
  interface TaskMeta {
    trial?: TrialRow;
  }
}

/** A row of the summary. */
export interface TrialRow {
  readonly name: string;
  readonly tried: number;
  readonly survived: number;
  readonly lost: number;
  readonly figures: Readonly<Record<string, number>>;
}

/** A fault that is injected repeatedly. Its row is in the summary even if the trial fails. */
export class Trial extends LoadStatistics {
  readonly name: string;
  /** Number of attempts. */
  readonly rounds: number;
  /** Further figures for the summary. */
  readonly figures: Record<string, number> = {};
  #tried = 0;
  #survived = 0;
  #reportedAt = performance.now();

  /** `short` is for `npm run test:all`, `long` for `npm run test:faults`. */
  constructor(name: string, { short, long }: { readonly short: number; readonly long: number }) {
    super();
    this.name = name;
    this.rounds = IS_LONG ? long : short;
    onTestFinished(({ task }) => {
      task.meta.trial = this.#row();
    });
  }

  async run(attempt: (round: number) => Promise<unknown>): Promise<void> {
    for (let round = 1; round <= this.rounds; round += 1) {
      this.#tried += 1;
      await attempt(round);
      this.#survived += 1;
      this.#report();
    }
  }

  #report(): void {
    if (!IS_LONG || performance.now() - this.#reportedAt < REPORT_INTERVAL_MS) return;
    this.#reportedAt = performance.now();
    process.stderr.write(`${this.name}: ${this.#survived} of ${this.rounds}, ${this.lost} lost\n`);
  }

  #row(): TrialRow {
    const seen = {
      acknowledged: this.acknowledged,
      'responses with 500': this.failed,
      'changes checked': this.changes,
      'longest request, ms': this.longestMs,
      'slowest recovery, ms': this.slowestRecoveryMs,
    };
    const figures = { ...this.figures, ...seen };
    return { name: this.name, tried: this.#tried, survived: this.#survived, lost: this.lost, figures };
  }
}
