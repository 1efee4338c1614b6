import { AccountSync, type Change } from '@account-sync/client';
import { ApiError, signedFetch } from '../../api/call';
import { latestChanges } from '../../api/changes';

const SHOWN = 20;
/** The page is updated at most once per interval, however many changes arrive. */
const UPDATE_MS = 500;
const RETRY_MS = 4_000;

export interface FeedState {
  /** Newest first; undefined until loaded. */
  readonly changes: readonly Change[] | undefined;
  readonly connection: 'connecting' | 'live' | 'reconnecting' | 'broken';
  readonly error: Error | undefined;
  /** Number of changes that arrived since the page was opened and are shown. */
  readonly arrived: number;
  readonly isPaused: boolean;
  /** Number of changes that arrived and are not shown yet. */
  readonly held: number;
}

/**
 * The latest changes as an external store for React. It loads the newest changes, then follows the change feed.
 *
 *   connecting → live ⇄ reconnecting      broken: an error that a retry does not solve, or the first load failed
 *
 * Arriving changes wait in a buffer of at most `SHOWN` entries, which is shown every `UPDATE_MS`. While the feed is
 * paused, the buffer is only counted. So memory and rendering stay bounded at any rate of changes.
 */
export class LiveFeed {
  #state: FeedState = {
    changes: undefined,
    connection: 'connecting',
    error: undefined,
    arrived: 0,
    isPaused: false,
    held: 0,
  };
  /** The newest of the changes that are not shown yet, newest first. */
  #waiting: readonly Change[] = [];
  #waitingCount = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #listeners = new Set<() => void>();

  readonly state = (): FeedState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Follows the feed until the signal aborts, or until an error that a retry does not solve. */
  async follow(signal: AbortSignal): Promise<void> {
    const set = (changes: Partial<FeedState>) => {
      if (!signal.aborted) this.#set(changes);
    };
    set({ connection: 'connecting', error: undefined });
    const client = new AccountSync({
      url: location.origin,
      fetch: async (input, init) => {
        const response = await signedFetch(input, init);
        if (response.ok) set({ connection: 'live' });
        return response;
      },
      // Retries without limit: the page waits for an unreachable server as long as it is open.
      retryForMs: Number.POSITIVE_INFINITY,
      onRetry: () => set({ connection: 'reconnecting' }),
    });
    try {
      const { data, next } = await loadLatest(signal, (error) => set({ connection: 'broken', error }));
      if (signal.aborted) return;
      set({ error: undefined });
      this.#start(data.toReversed());
      for await (const change of client.changes({ after: next, follow: true, signal })) this.#receive(change);
    } catch (error) {
      set({ connection: 'broken', error: error as Error });
    }
  }

  pause(): void {
    this.#set({ isPaused: true });
  }

  resume(): void {
    this.#set({ isPaused: false });
    this.#show();
  }

  /** Changes that arrived while the page was hidden count as new. */
  #start(latest: readonly Change[]): void {
    const { changes } = this.#state;
    const known = new Set(changes?.map(({ cursor }) => cursor));
    this.#waiting = latest.filter(({ cursor }) => !known.has(cursor));
    this.#waitingCount = changes === undefined ? 0 : this.#waiting.length;
    this.#show();
  }

  #receive(change: Change): void {
    this.#waiting = [change, ...this.#waiting].slice(0, SHOWN);
    this.#waitingCount += 1;
    this.#timer ??= setTimeout(() => this.#show(), UPDATE_MS);
  }

  #show(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const { changes = [], arrived, isPaused } = this.#state;
    if (isPaused) {
      this.#set({ held: this.#waitingCount });
      return;
    }
    const shown = [...this.#waiting, ...changes].slice(0, SHOWN);
    this.#set({ changes: shown, arrived: arrived + this.#waitingCount, held: 0 });
    this.#waiting = [];
    this.#waitingCount = 0;
  }

  #set(changes: Partial<FeedState>): void {
    this.#state = { ...this.#state, ...changes };
    for (const listener of this.#listeners) listener();
  }
}

/** Reports a transient failure and retries. */
async function loadLatest(signal: AbortSignal, onFailure: (error: Error) => void) {
  for (;;) {
    try {
      return await latestChanges(SHOWN, signal);
    } catch (error) {
      if (signal.aborted || !(error instanceof ApiError && error.isTransient)) throw error;
      onFailure(error);
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}
