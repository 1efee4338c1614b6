import { hashKey } from '../domain/api-key.js';
import type { Session, Sessions } from '../store/directory/sessions.js';
import { GatheredLookups } from './gathered-lookups.js';

/** A session that has ended anywhere ends here within a second: half of it passes here at most. */
const FRESH_FOR_MS = 500;

/**
 * Sessions as they were a moment ago, so that a stream that asks after every change costs few looks at the database.
 * Not by the version of the directory, like keys: then everybody who signs out would have all keys loaded anew.
 */
export class SessionCache {
  readonly #lookups: GatheredLookups<Session>;
  /** Only those that exist, so that nobody can fill it. */
  #known = new Map<string, Session>();
  #knownSince = Number.NEGATIVE_INFINITY;

  constructor(sessions: Sessions) {
    this.#lookups = new GatheredLookups((hashes) => sessions.findAll(hashes));
  }

  async find(token: string): Promise<Session | undefined> {
    if (performance.now() - this.#knownSince >= FRESH_FOR_MS) this.forget();
    // What is found after the next `forget` is not kept: the look may have come too early.
    const known = this.#known;
    const hash = hashKey(token);
    const session = known.get(hash) ?? (await this.#lookups.find(hash));
    if (session !== undefined) known.set(hash, session);
    return session;
  }

  forget(): void {
    this.#known = new Map();
    this.#knownSince = performance.now();
  }
}
