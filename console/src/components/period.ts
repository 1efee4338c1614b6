import { useNow } from './use-now';

const SPANS: Readonly<Record<string, number>> = { hour: 3_600_000, day: 86_400_000 };

/** A time range as query parameters of a page. */
export interface PeriodParameters {
  /** `hour` or `day`; replaces `since` and `until`. */
  readonly last?: string;
  /** ISO time, inclusive. */
  readonly since?: string;
  /** ISO time, exclusive. */
  readonly until?: string;
}

/** For clearing the time range. */
export const NO_PERIOD = { last: undefined, since: undefined, until: undefined };

/** Invalid values are ignored. */
export function readPeriod(parameters: URLSearchParams): PeriodParameters {
  const [last, since, until] = ['last', 'since', 'until'].map((name) => parameters.get(name) ?? '');
  return {
    ...(last !== undefined && Object.hasOwn(SPANS, last) && { last }),
    ...(since !== undefined && timeOf(since) !== undefined && { since }),
    ...(until !== undefined && timeOf(until) !== undefined && { until }),
  };
}

export interface Period {
  readonly from: number;
  readonly to: number;
}

/** Infinite on a side without a limit. */
export function periodOf({ last, since, until }: PeriodParameters, now: number): Period {
  const span = SPANS[last ?? ''];
  if (span !== undefined) return { from: now - span, to: Number.POSITIVE_INFINITY };
  return {
    from: timeOf(since) ?? Number.NEGATIVE_INFINITY,
    to: timeOf(until) ?? Number.POSITIVE_INFINITY,
  };
}

export function usePeriod(parameters: PeriodParameters): Period {
  return periodOf(parameters, useNow());
}

function timeOf(text: string | undefined): number | undefined {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? undefined : time;
}
