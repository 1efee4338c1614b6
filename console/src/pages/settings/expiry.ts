/** When a key shall end. A day is a choice of its own, so that it stays while others are tried. */
export interface Expiry {
  readonly choice: 'kept' | 'never' | '30 days' | '90 days' | '1 year' | 'day';
  /** The last day, as in 2027-01-31; empty while none is chosen. */
  readonly day: string;
}

const DAY_MS = 86_400_000;

/** Null for never; undefined for as it was, and for a day that is not chosen yet. */
export function expiryMoment({ choice, day }: Expiry, now: number): string | null | undefined {
  if (choice === 'never') return null;
  if (choice === '30 days') return new Date(now + 30 * DAY_MS).toISOString();
  if (choice === '90 days') return new Date(now + 90 * DAY_MS).toISOString();
  if (choice === '1 year') return aYearAfter(now).toISOString();
  return choice === 'day' && day !== '' ? endOfDay(day).toISOString() : undefined;
}

function aYearAfter(now: number): Date {
  const date = new Date(now);
  date.setFullYear(date.getFullYear() + 1);
  return date;
}

/** Where the reader is: without an offset it is local time. */
function endOfDay(day: string): Date {
  return new Date(`${day}T23:59:59.999`);
}
