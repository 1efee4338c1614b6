import { readDate, readDateTime } from '../../../domain/calendar.js';
import type { Reading } from './reading.js';

/** Far longer than any date. */
const MAX_LENGTH = 64;
const DAY_SECONDS = 86_400;

/** A day as `2015-01-31`, and the rest of the text. */
interface Day {
  readonly day: string;
  readonly rest: string;
}

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const MONTH =
  '(?:(?<month>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)' +
  '(?:uary|ruary|ch|il|e|y|ust|t|tember|ober|ember)?\\.?)';

const DAY_FORMS: readonly { readonly name: string; readonly label: string; readonly form: RegExp }[] = [
  {
    name: 'mdy',
    label: 'month/day/year',
    form: /^(?<m>\d{1,2})(?<separator>[/-])(?<d>\d{1,2})\k<separator>(?<y>\d{4})(?!\d)/,
  },
  {
    name: 'dmy',
    label: 'day/month/year',
    form: /^(?<d>\d{1,2})(?<separator>[/.-])(?<m>\d{1,2})\k<separator>(?<y>\d{4})(?!\d)/,
  },
  {
    name: 'ymd',
    label: 'year/month/day',
    // Without separators it needs all digits: 201512 is a month.
    form: /^(?=\d{8}|\d{4}\D)(?<y>\d{4})(?<separator>[/.-]?)(?<m>\d{1,2})\k<separator>(?<d>\d{1,2})(?!\d)/,
  },
  {
    name: 'day-month',
    label: 'with the name of the month',
    form: new RegExp(`^(?<d>\\d{1,2})[ -]${MONTH}[ -](?<y>\\d{4})(?!\\d)`, 'i'),
  },
  {
    name: 'month-day',
    label: 'with the name of the month',
    form: new RegExp(`^${MONTH} (?<d>\\d{1,2}),? (?<y>\\d{4})(?!\\d)`, 'i'),
  },
];

/** The forms of which one text can have several. */
const ORDERS = ['mdy', 'dmy'];

/** Days. A text with a time is one only if that is midnight; otherwise a part of the value would be lost. */
export const DATE_READINGS: readonly Reading[] = [
  ...DAY_FORMS.map(({ name, label, form }) => ({
    name,
    label,
    read: bounded((text) => {
      const { day, rest = '' } = dayOf(text, form) ?? {};
      return day !== undefined && (rest === '' || isMidnight(rest)) ? day : undefined;
    }),
  })),
  ...DAY_FORMS.map(({ name, form }) => ({
    name: ORDERS.includes(name) ? `${name}-day` : 'day',
    group: 'day',
    label: 'the day of a time, as written',
    read: bounded((text) => dayOfTime(text, form)),
    isExplicit: true,
  })),
  {
    name: 'excel',
    label: 'days as Excel counts them',
    read: bounded((text) => (/^\d{5}$/.test(text) ? timeOfSerial(text).slice(0, 10) : undefined)),
  },
];

/** Times. Those without an offset are in UTC, as for the server. */
export const DATE_TIME_READINGS: readonly Reading[] = [
  {
    name: 'offset',
    label: 'with another form of the offset',
    read: bounded((text) =>
      /^\d{4}-\d\d-\d\d[T ]/i.test(text) ? readDateTime(withOffset(text)) : undefined,
    ),
  },
  ...DAY_FORMS.map(({ name, label, form }) => ({
    name,
    label,
    read: bounded((text) => {
      const { day, rest = '' } = dayOf(text, form) ?? {};
      const time = rest === '' ? '00:00' : timeOf(rest);
      return day === undefined || time === undefined ? undefined : readDateTime(`${day}T${time}`);
    }),
  })),
  {
    name: 'excel',
    label: 'days as Excel counts them',
    read: bounded((text) => (/^\d{5}(\.\d+)?$/.test(text) ? timeOfSerial(text) : undefined)),
  },
  {
    name: 'epoch',
    label: 'time since 1970, in seconds or milliseconds',
    read: bounded((text) => {
      if (!/^(\d{10}|\d{13})$/.test(text)) return undefined;
      return new Date(Number(text) * (text.length === 10 ? 1000 : 1)).toISOString();
    }),
  },
];

function bounded(read: (text: string) => string | undefined): (text: string) => string | undefined {
  return (text) => (text.length > MAX_LENGTH ? undefined : read(text));
}

function dayOf(text: string, form: RegExp): Day | undefined {
  const match = form.exec(text);
  if (match === null) return undefined;
  const { y, m, d, month } = match.groups ?? {};
  const number = month === undefined ? m : String(MONTHS.indexOf(month.toLowerCase()) + 1);
  const day = readDate(`${y}-${number?.padStart(2, '0')}-${d?.padStart(2, '0')}`);
  return day === undefined ? undefined : { day, rest: text.slice(match[0].length) };
}

const TIME =
  /^(?:,? |T)(?<h>\d{1,2})(?<rest>:\d\d(?::\d\d(?:\.\d+)?)?)(?: ?(?<half>[ap])\.?m\.?)?(?<offset> ?(?:Z|UTC|GMT|[+-]\d\d:?\d\d))?$/i;

/** The time after a day, as `15:45+01:00`: from ` 3:45 PM +0100`, `T15:45+01:00`. */
function timeOf(text: string): string | undefined {
  const { h, rest, half, offset = '' } = TIME.exec(text)?.groups ?? {};
  if (h === undefined) return undefined;
  const hour = Number(h);
  if (half !== undefined && (hour < 1 || hour > 12)) return undefined;
  const whole = half === undefined ? hour : (hour % 12) + (/p/i.test(half) ? 12 : 0);
  return withOffset(`${String(whole).padStart(2, '0')}${rest}${offset}`);
}

function isMidnight(text: string): boolean {
  return /^00:00(?::00(?:\.0+)?)?(?![\d.:])/.test(timeOf(text) ?? '');
}

function dayOfTime(text: string, form: RegExp): string | undefined {
  const { day, rest = '' } = dayOf(text, form) ?? {};
  if (rest === '') return day;
  const time = timeOf(rest);
  const isTime = time !== undefined && readDateTime(`${day}T${time}`) !== undefined;
  return isTime ? day : undefined;
}

/** Writes the offset of a time as RFC 3339 does: `+0000` and ` UTC` become `+00:00` and `Z`. */
function withOffset(text: string): string {
  const plain = text.replace(/ ?(?:UTC|GMT)$/i, 'Z');
  return plain.replace(
    /(:\d\d(?:\.\d+)?) ?([+-]\d\d):?(\d\d)?$/,
    (_whole, time, hours, minutes = '00') => `${time}${hours}:${minutes}`,
  );
}

/** Excel counts from 1899-12-30, so that a leap day in 1900, which did not exist, has a number. */
function timeOfSerial(text: string): string {
  const seconds = Math.round(Number(text) * DAY_SECONDS);
  return new Date(Date.UTC(1899, 11, 30) + seconds * 1000).toISOString();
}
