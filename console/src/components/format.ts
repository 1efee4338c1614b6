/** Formats numbers and times in the locale of the browser. */

const NUMBER = new Intl.NumberFormat();
const SHORT_NUMBER = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 });
const SHARE = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 0 });
const DECIMAL = new Intl.NumberFormat(undefined, { maximumFractionDigits: 20 });
const LOCAL = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const LOCAL_SHORT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const UTC = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' });
const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });
const RELATIVE = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'long' });

const STEPS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

export const formatNumber = (value: number): string => NUMBER.format(value);
export const formatDecimal = (value: number): string => DECIMAL.format(value);
export const formatShortNumber = (value: number): string => SHORT_NUMBER.format(value);

/** A share from 0 to 1 as a percentage. Only nothing is shown as 0 %, and only everything as 100 %. */
export function formatShare(share: number): string {
  if (share > 0 && share < 0.01) return `< ${SHARE.format(0.01)}`;
  if (share > 0.99 && share < 1) return `> ${SHARE.format(0.99)}`;
  return SHARE.format(share);
}

export const formatLocal = (at: string): string => verbatim(at) ?? LOCAL.format(new Date(at));
export const formatLocalShort = (at: string): string => verbatim(at) ?? LOCAL_SHORT.format(new Date(at));
export const formatUtc = (at: string): string => verbatim(at) ?? `${UTC.format(new Date(at))} UTC`;

/** A day has no time zone: formatting in UTC never shifts it. */
export const formatDay = (day: string): string => verbatim(day) ?? DAY.format(new Date(`${day}T00:00:00Z`));

/** Some systems use the first years or the last day for “never”. A formatted “1 Jan 1” would not be recognised. */
function verbatim(at: string): string | undefined {
  return at.startsWith('0') || at.startsWith('9999-12-31') ? at : undefined;
}

/** The distance from now in words. Times more than a week away are shown as a date. */
export function formatRelative(at: string, now: number): string {
  const distance = Date.parse(at) - now;
  // `now` advances in steps, so a recent time may be slightly later than it.
  if (Math.abs(distance) < 60_000) return distance > 30_000 ? 'in a moment' : 'just now';
  if (Math.abs(distance) > 7 * 86_400_000) return formatLocalShort(at);
  const [unit, length] = STEPS.find(([, size]) => Math.abs(distance) >= size) ?? ['minute', 60_000];
  return RELATIVE.format(Math.trunc(distance / length), unit);
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
}
