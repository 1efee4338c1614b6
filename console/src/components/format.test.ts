import { describe, expect, it } from 'vitest';
import { formatDay, formatLocal, formatLocalShort, formatUtc } from './format';

describe('times that stand for never', () => {
  it.each(['0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z'])('are shown unformatted: %s', (at) => {
    expect([formatLocal(at), formatLocalShort(at), formatUtc(at)]).toEqual([at, at, at]);
  });

  it.each(['0001-01-01', '9999-12-31'])('are shown unformatted: the day %s', (day) => {
    expect(formatDay(day)).toBe(day);
  });

  it('are distinguished from other times', () => {
    expect(formatUtc('9999-12-30T00:00:00Z')).toMatch(/^(?=.*9999).* UTC$/);
    expect(formatDay('1000-01-01')).toMatch(/^(?!1000).*1000/);
  });
});
