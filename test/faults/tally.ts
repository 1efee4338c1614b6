/** How often each test repeats its faults. */
export const CYCLES = Number(process.env.FAULT_CYCLES ?? 1);

/** What one test has seen, over all its cycles. */
export class Tally {
  acknowledged = 0;
  failed = 0;
  /** Answers that are neither success nor the documented failure, and requests without any. */
  readonly unexpected: string[] = [];
  longestMs = 0;
  /** Acknowledged changes of accounts that are not stored. */
  lost = 0;
  /** Changes of accounts that were looked at. */
  changes = 0;
  /** From the end of the fault to the first success. */
  slowestRecoveryMs = 0;

  /** For people to read. */
  print(test: string, others: Readonly<Record<string, number>> = {}): void {
    const figures = {
      cycles: CYCLES,
      'requests acknowledged': this.acknowledged,
      'answered 500': this.failed,
      lost: this.lost,
      'changes checked': this.changes,
      'longest request, ms': this.longestMs,
      ...others,
    };
    const texts = Object.entries(figures).map(([name, figure]) => `${name} ${Math.round(figure)}`);
    console.log(`${test}: ${texts.join('; ')}`);
  }
}
