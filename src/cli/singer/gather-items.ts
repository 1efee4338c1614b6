import { setTimeout as pause } from 'node:timers/promises';
import { CHUNK } from '../import/item-selection.js';
import type { SingerItem } from './stream-plan.js';

/** How long a record waits for others. Taps flush every line, so without waiting each record would be a request. */
const WAIT_MS = 1_000;
/** Large records are sent before a chunk has the usual number of them. */
const MAX_CHARACTERS = 1_000_000;

/**
 * Gathers items for one request: until there are enough, or the first has waited for a second. Arrays without items
 * pass, so that the consumer learns that something was read.
 */
export async function* gatherItems(
  source: AsyncGenerator<readonly SingerItem[]>,
  waitMs = WAIT_MS,
): AsyncGenerator<readonly SingerItem[]> {
  let held: SingerItem[] = [];
  let characters = 0;
  let timeout: Promise<'timeout'> | undefined;
  const take = () => {
    const items = held;
    [held, characters, timeout] = [[], 0, undefined];
    return items;
  };
  let next = outcomeOf(source.next());
  for (;;) {
    const outcome = await (timeout === undefined ? next : Promise.race([next, timeout]));
    if (outcome === 'timeout') {
      yield take();
      continue;
    }
    if ('error' in outcome || outcome.done) {
      if (held.length > 0) yield take();
      if ('error' in outcome) throw outcome.error;
      return;
    }
    next = outcomeOf(source.next());
    for (const item of outcome.value) {
      held.push(item);
      characters += item.characters;
      if (held.length >= CHUNK || characters >= MAX_CHARACTERS) yield take();
    }
    if (held.length === 0) yield [];
    else timeout ??= pause(waitMs, 'timeout', { ref: false });
  }
}

/** Never rejects: Node.js ends the process if a promise rejects before a caller awaits it. */
function outcomeOf<T>(result: Promise<T>): Promise<T | { readonly error: unknown }> {
  return result.catch((error: unknown) => ({ error }));
}
