/** Numbers that look like chance and come out the same every time (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** From 0 up to, and not with, 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** A whole number, both ends included. */
  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  isChance(share: number): boolean {
    return this.next() < share;
  }

  pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.next() * list.length)] as T;
  }

  /** The first ones much more often than the last, as some customers are busier than others. */
  pickEarly<T>(list: readonly T[]): T {
    return list[Math.floor(this.next() ** 3 * list.length)] as T;
  }
}

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;

/** How busy each hour of a working day is, in UTC. */
const BUSY = [1, 1, 2, 1, 1, 2, 4, 7, 10, 12, 12, 11, 8, 11, 12, 11, 9, 6, 4, 3, 2, 2, 1, 1];
const WEEKEND_SHARE = 0.2;

/** From 0 to 1. */
export function busyness(at: number): number {
  const moment = new Date(at);
  const isWeekend = [0, 6].includes(moment.getUTCDay());
  return ((BUSY[moment.getUTCHours()] ?? 1) / 12) * (isWeekend ? WEEKEND_SHARE : 1);
}

/** The moments between two others at which something is sent: more while people work, and every few minutes at last. */
export function moments(from: number, to: number, random: Random): number[] {
  const found: number[] = [];
  let at = from;
  while (at < to) {
    found.push(at);
    const isLastHour = at > to - HOUR_MS;
    const pause = isLastHour ? 2 * MINUTE_MS : HOUR_MS / (1 + 0.8 * busyness(at));
    // Never far into the last hour in one step.
    at += Math.min((0.4 + 1.2 * random.next()) * pause, Math.max(to - HOUR_MS - at, 0) + 4 * MINUTE_MS);
  }
  return found.map(Math.floor);
}
