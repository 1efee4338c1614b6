import { call } from './call';

export interface Counts {
  readonly created: number;
  readonly updated: number;
  readonly deleted: number;
  readonly refused: number;
}

export type Counted = keyof Counts;

export interface CountedTime extends Counts {
  readonly start: string;
}

export interface Stats {
  readonly accounts: number;
  readonly unit: StatsUnit;
  /** Oldest first; without those in which nothing happened. */
  readonly data: readonly CountedTime[];
}

export type StatsUnit = 'minute' | 'hour' | 'day';

/** From a moment up to now. */
export function readStats(unit: StatsUnit, from: number, signal: AbortSignal): Promise<Stats> {
  const parameters = { unit, from: new Date(from).toISOString() };
  return call<Stats>('/stats', { parameters, signal });
}
