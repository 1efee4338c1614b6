/** For how many days something may be kept, at least and at most. */
export interface DayRange {
  readonly min: number;
  readonly max: number;
}

export const HISTORY_DAYS: DayRange = { min: 1, max: 36_500 };
export const REJECTION_DAYS: DayRange = { min: 1, max: 90 };

/** Where neither the tenant nor the server says. */
export const DEFAULT_REJECTION_DAYS = 7;

export const DAY_MS = 86_400_000;

/** The oldest moment that still belongs to the last so many days. */
export function oldestKept(now: number, days: number): number {
  return now - days * DAY_MS;
}

/** Undefined where the text is no number of days in that range. */
export function readDays(text: string, { min, max }: DayRange): number | undefined {
  const days = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  return days >= min && days <= max ? days : undefined;
}
