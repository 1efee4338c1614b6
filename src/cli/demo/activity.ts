import type { Random } from './random.js';

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
