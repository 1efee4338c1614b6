const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const DATE_TIME =
  /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d+))?)?(?:[Zz]|([+-])(\d{2}):(\d{2}))?$/;

function daysInMonth(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

function isRealDay(year: number, month: number, day: number): boolean {
  return month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
}

/** The text itself where it names a real day: a date has no zone, so nothing may shift it. */
export function readDate(text: string): string | undefined {
  const match = DATE.exec(text);
  return match !== null && isRealDay(Number(match[1]), Number(match[2]), Number(match[3])) ? text : undefined;
}

/** The moment in UTC to the millisecond, as `2021-05-31T10:20:30.000Z`. Without an offset the text is in UTC. */
export function readDateTime(text: string): string | undefined {
  const match = DATE_TIME.exec(text);
  if (match === null) return undefined;
  const number = (group: number) => Number(match[group] ?? 0);
  const hour = number(4);
  const minute = number(5);
  const second = number(6);
  const offsetHours = number(9);
  const offsetMinutes = number(10);
  if (!isRealDay(number(1), number(2), number(3))) return undefined;
  if (hour > 23 || minute > 59 || second > 59 || offsetHours > 23 || offsetMinutes > 59) return undefined;
  const offset = (match[8] === '-' ? -1 : 1) * (offsetHours * 60 + offsetMinutes);
  const milliseconds = (match[7] ?? '').slice(0, 3).padEnd(3, '0');
  // Most are in UTC already, and going through a Date takes five times as long.
  if (offset === 0) return `${text.slice(0, 10)}T${text.slice(11, 16)}:${match[6] ?? '00'}.${milliseconds}Z`;
  const moment = new Date(0);
  // Not Date.UTC: it reads the years 0 to 99 as 1900 to 1999.
  moment.setUTCFullYear(number(1), number(2) - 1, number(3));
  moment.setUTCHours(hour, minute - offset, second, Number(milliseconds));
  const shifted = moment.getUTCFullYear();
  return shifted >= 0 && shifted <= 9999 ? moment.toISOString() : undefined;
}
