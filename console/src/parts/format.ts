/** Numbers and times as the reader writes them. */

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

/** A share of a whole, 0 to 1. What is there is never 0 %, and what is not all never 100 %. */
export function formatShare(share: number): string {
  if (share > 0 && share < 0.01) return `< ${SHARE.format(0.01)}`;
  if (share > 0.99 && share < 1) return `> ${SHARE.format(0.99)}`;
  return SHARE.format(share);
}

export const formatLocal = (at: string): string => written(at) ?? LOCAL.format(new Date(at));
export const formatLocalShort = (at: string): string => written(at) ?? LOCAL_SHORT.format(new Date(at));
export const formatUtc = (at: string): string => written(at) ?? `${UTC.format(new Date(at))} UTC`;

/** A day has no zone: it is the same everywhere. */
export const formatDay = (day: string): string => written(day) ?? DAY.format(new Date(`${day}T00:00:00Z`));

/** The first years and the last moment stand for “never” in some systems; as “1 Jan 1” or in the year 10000 nobody would know them. */
function written(at: string): string | undefined {
  return at.startsWith('0') || at.startsWith('9999-12-31') ? at : undefined;
}

/** As far from now as one would say it; days further away by their date. */
export function formatRelative(at: string, now: number): string {
  const distance = Date.parse(at) - now;
  // What has just happened may be a little after a present that goes on in steps.
  if (Math.abs(distance) < 60_000) return distance > 30_000 ? 'in a moment' : 'just now';
  if (Math.abs(distance) > 7 * 86_400_000) return formatLocalShort(at);
  const [unit, length] = STEPS.find(([, size]) => Math.abs(distance) >= size) ?? ['minute', 60_000];
  return RELATIVE.format(Math.trunc(distance / length), unit);
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
}
