/** When a key expires. The date is stored separately, so that it survives a change of the choice. */
export interface Expiry {
  readonly choice: 'kept' | 'never' | '30 days' | '90 days' | '1 year' | 'day';
  /** The last day, such as 2027-01-31; empty while none is chosen. */
  readonly day: string;
}

const DAY_MS = 86_400_000;

/** ISO time of the expiry. Null: never. Undefined: unchanged, or no date chosen yet. */
export function expiryTime({ choice, day }: Expiry, now: number): string | null | undefined {
  if (choice === 'never') return null;
  if (choice === '30 days') return new Date(now + 30 * DAY_MS).toISOString();
  if (choice === '90 days') return new Date(now + 90 * DAY_MS).toISOString();
  if (choice === '1 year') return oneYearAfter(now).toISOString();
  return choice === 'day' && day !== '' ? endOfDay(day).toISOString() : undefined;
}

function oneYearAfter(now: number): Date {
  const date = new Date(now);
  date.setFullYear(date.getFullYear() + 1);
  return date;
}

/** A time without an offset is parsed as local time. */
function endOfDay(day: string): Date {
  return new Date(`${day}T23:59:59.999`);
}
