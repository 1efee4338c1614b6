import type { Readable } from 'node:stream';
import { refusals } from '../../refusal.js';
import { BodyBeginning } from './body-beginning.js';

/** A body from the first byte on that says something; ends at once where there is none. */
export async function* bodyBytes(body: Readable): AsyncGenerator<Buffer, undefined> {
  const beginning = new BodyBeginning();
  let hasBegun = false;
  try {
    // Not destroyed where reading ends early: that would close the connection before the answer is sent.
    for await (const chunk of body.iterator({ destroyOnReturn: false })) {
      const bytes: Buffer = hasBegun ? chunk : beginning.push(chunk);
      hasBegun ||= bytes.length > 0;
      if (hasBegun) yield bytes;
    }
  } catch {
    throw refusals.brokeOff();
  }
}
