/** What callers have seen, and what was found stored of it. */
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
}
