import { AccountSync, type Change } from '@account-sync/client';
import { Problem, signedFetch } from '../../api/call';
import { latestChanges } from '../../api/changes';

const SHOWN = 20;
/** However many come, the page changes no more often than this. */
const STEP_MS = 500;
const AGAIN_MS = 4_000;

export interface FeedState {
  /** The newest first; undefined until they are known. */
  readonly changes: readonly Change[] | undefined;
  readonly connection: 'connecting' | 'live' | 'reconnecting' | 'broken';
  readonly error: Error | undefined;
  /** How many have come since the page was opened, and were shown. */
  readonly arrived: number;
  readonly isPaused: boolean;
  /** How many have come and are not shown yet. */
  readonly held: number;
}

/** The latest changes, kept up to date for as long as it follows. */
export class LiveFeed {
  #state: FeedState = {
    changes: undefined,
    connection: 'connecting',
    error: undefined,
    arrived: 0,
    isPaused: false,
    held: 0,
  };
  /** Of those that have come and are not shown yet, the newest ones; the newest first. */
  #waiting: readonly Change[] = [];
  #waitingCount = 0;
  #step: ReturnType<typeof setTimeout> | undefined;
  readonly #watchers = new Set<() => void>();

  readonly state = (): FeedState => this.#state;

  readonly watch = (changed: () => void): (() => void) => {
    this.#watchers.add(changed);
    return () => this.#watchers.delete(changed);
  };

  /** Until the signal says otherwise, or something is wrong that waiting does not mend. */
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
      // The server may be away for long: it is waited for as long as somebody looks.
      retryForMs: Number.POSITIVE_INFINITY,
      onRetry: () => set({ connection: 'reconnecting' }),
    });
    try {
      const { data, next } = await firstAnswer(signal, (error) => set({ connection: 'broken', error }));
      if (signal.aborted) return;
      set({ error: undefined });
      this.#begin(data.toReversed());
      for await (const change of client.changes({ after: next, follow: true, signal })) this.#take(change);
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

  /** What came while nobody looked counts as new. */
  #begin(latest: readonly Change[]): void {
    const { changes } = this.#state;
    const known = new Set(changes?.map(({ cursor }) => cursor));
    this.#waiting = latest.filter(({ cursor }) => !known.has(cursor));
    this.#waitingCount = changes === undefined ? 0 : this.#waiting.length;
    this.#show();
  }

  #take(change: Change): void {
    this.#waiting = [change, ...this.#waiting].slice(0, SHOWN);
    this.#waitingCount += 1;
    this.#step ??= setTimeout(() => this.#show(), STEP_MS);
  }

  #show(): void {
    clearTimeout(this.#step);
    this.#step = undefined;
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
    for (const changed of this.#watchers) changed();
  }
}

/** While the server is away that is said, and it is asked again. */
async function firstAnswer(signal: AbortSignal, onFailure: (error: Error) => void) {
  for (;;) {
    try {
      return await latestChanges(SHOWN, signal);
    } catch (error) {
      if (signal.aborted || !(error instanceof Problem && error.isPassing)) throw error;
      onFailure(error);
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }
}
