/** A seeded pseudo-random generator (mulberry32): the same seed gives the same numbers. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** From 0 (inclusive) to 1 (exclusive). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** An integer from `low` to `high`, both inclusive. */
  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  isChance(share: number): boolean {
    return this.next() < share;
  }

  pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.next() * list.length)] as T;
  }

  /** Picks early items much more often than late ones, because some customers are more active than others. */
  pickEarly<T>(list: readonly T[]): T {
    return list[Math.floor(this.next() ** 3 * list.length)] as T;
  }
}

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;

/** The relative activity in each hour of a working day, in UTC. */
const HOURLY_ACTIVITY = [1, 1, 2, 1, 1, 2, 4, 7, 10, 12, 12, 11, 8, 11, 12, 11, 9, 6, 4, 3, 2, 2, 1, 1];
const WEEKEND_SHARE = 0.2;

/** From 0 to 1. */
export function activityAt(at: number): number {
  const date = new Date(at);
  const isWeekend = [0, 6].includes(date.getUTCDay());
  return ((HOURLY_ACTIVITY[date.getUTCHours()] ?? 1) / 12) * (isWeekend ? WEEKEND_SHARE : 1);
}

/** The times at which requests are sent: more often in working hours, and every few minutes in the last hour. */
export function requestTimes(from: number, to: number, random: Random): number[] {
  const found: number[] = [];
  let at = from;
  while (at < to) {
    found.push(at);
    const isLastHour = at > to - HOUR_MS;
    const pause = isLastHour ? 2 * MINUTE_MS : HOUR_MS / (1 + 0.8 * activityAt(at));
    // Limits the last step before the last hour, so that it does not skip a part of that hour.
    at += Math.min((0.4 + 1.2 * random.next()) * pause, Math.max(to - HOUR_MS - at, 0) + 4 * MINUTE_MS);
  }
  return found.map(Math.floor);
}
