import { setTimeout } from 'node:timers/promises';
import { QueueFull } from '../errors.js';

const PAUSE_MS = 50;

/**
 * Tries to write until the write queue has room, where other operations respond with 503. Throws `QueueFull` once
 * `hasEnded` is true.
 */
export async function whenQueueHasRoom<T>(write: () => T, hasEnded = () => false): Promise<Awaited<T>> {
  for (;;) {
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof QueueFull) || hasEnded()) throw error;
      await setTimeout(PAUSE_MS);
    }
  }
}
