/** Counts of responses, and of the changes that were found stored. */
export class LoadStatistics {
  acknowledged = 0;
  failed = 0;
  /** Responses that are neither success nor the documented failure, and requests without a response. */
  readonly unexpected: string[] = [];
  longestMs = 0;
  /** Acknowledged changes of accounts that are not stored. */
  lost = 0;
  /** Number of changes that were checked. */
  changes = 0;
  /** From the end of the fault to the first success. */
  slowestRecoveryMs = 0;
}
