import { readDateTime } from '../../domain/calendar.js';
import { refusals } from '../refusal.js';

/** A moment of a query or body; `undefined` where none was sent. */
export function readMoment(text: string | undefined, pointer: string): number | undefined {
  if (text === undefined) return undefined;
  const moment = readDateTime(text);
  if (moment !== undefined) return Date.parse(moment);
  throw refusals.invalid([{ pointer, detail: 'must be a moment such as 2027-01-31T12:00:00Z' }]);
}
