import { call } from './call';

export interface Counts {
  readonly created: number;
  readonly updated: number;
  readonly archived: number;
  readonly restored: number;
  readonly deleted: number;
  readonly refused: number;
}

export type CountName = keyof Counts;

export interface CountedInterval extends Counts {
  readonly start: string;
}

export interface Stats {
  /** Without archived ones. */
  readonly accounts: number;
  /** Number of archived accounts. */
  readonly archived: number;
  readonly unit: StatsUnit;
  /** Oldest first, without intervals in which nothing happened. */
  readonly data: readonly CountedInterval[];
}

export type StatsUnit = 'minute' | 'hour' | 'day';

/** Statistics from a time until now. */
export function readStats(unit: StatsUnit, from: number, signal: AbortSignal): Promise<Stats> {
  const parameters = { unit, from: new Date(from).toISOString() };
  return call<Stats>('/stats', { parameters, signal });
}
