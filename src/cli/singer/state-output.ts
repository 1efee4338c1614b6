import type { ResultTracker } from '../import/result-tracker.js';
import { CommandFailed } from '../terminal/command-line.js';
import { PendingStates } from './pending-states.js';
import type { RejectionLimit } from './rejection-limit.js';

/**
 * Writes states to standard output, one line each, and nothing else. A state is written when every record before it is
 * stored by the server, or is in the file of rejected records and synced: a tap that starts from it loses nothing.
 */
export class StateOutput {
  readonly #states = new PendingStates();
  readonly #tracker: ResultTracker;
  readonly #limit: RejectionLimit;
  hasWritten = false;

  constructor(tracker: ResultTracker, limit: RejectionLimit) {
    this.#tracker = tracker;
    this.#limit = limit;
  }

  /** Adds a state that comes after this number of records. */
  add(position: number, value: string): void {
    this.#states.add(position, value);
  }

  /** Called whenever something was settled or read. */
  async write(): Promise<void> {
    if (this.#limit.isInDoubt(this.#tracker)) return;
    const state = this.#states.take(this.#tracker.records);
    if (state === undefined) return;
    this.#tracker.flush();
    await writeLine(state);
    this.hasWritten = true;
  }
}

function writeLine(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(`${text}\n`, (error) => {
      if (error == null) return resolve();
      reject(
        new CommandFailed(
          `Cannot write the state to standard output: ${error.message}. What was sent is stored; run the pipeline again from the state before.`,
        ),
      );
    });
  });
}
