import type { Rejection } from '../../api/rejections';
import { useNow } from '../../components/use-now';
import { useQueryParameters } from '../../components/use-url';
import { OPERATIONS } from './operations';

const HOUR = 3_600_000;

/** The filters as query parameters. */
export interface Filters {
  readonly key?: string;
  readonly operation?: string;
  readonly account?: string;
  /** `hour` or `day`; replaces `since` and `until`. */
  readonly last?: string;
  /** ISO time, inclusive. */
  readonly since?: string;
  /** ISO time, exclusive. */
  readonly until?: string;
  readonly text?: string;
  /** Key of the open group. */
  readonly open?: string;
}

const NAMES = ['key', 'operation', 'account', 'last', 'since', 'until', 'text', 'open'] as const;

export type ChangeFilters = ReturnType<typeof useQueryParameters>[1];

/** Reads the filters from the URL. Invalid values are ignored. */
export function useFilters(): [Filters, ChangeFilters] {
  const [parameters, change] = useQueryParameters();
  const filters = Object.fromEntries(
    NAMES.map((name) => [name, parameters.get(name) ?? '']).filter(([name, value]) => isValid(name, value)),
  );
  return [filters, change];
}

function isValid(name = '', value = ''): boolean {
  if (name === 'last') return value === 'hour' || value === 'day';
  if (name === 'operation') return Object.hasOwn(OPERATIONS, value);
  if (name === 'since' || name === 'until') return timeOf(value) !== undefined;
  return value !== '';
}

export interface Period {
  readonly from: number;
  readonly to: number;
}

/** The filtered time range. Open on a side without a limit. */
export function usePeriod({ last, since, until }: Filters): Period {
  const now = useNow();
  if (last === 'hour' || last === 'day') {
    return { from: now - (last === 'hour' ? HOUR : 24 * HOUR), to: Number.POSITIVE_INFINITY };
  }
  return {
    from: timeOf(since) ?? Number.NEGATIVE_INFINITY,
    to: timeOf(until) ?? Number.POSITIVE_INFINITY,
  };
}

export function filterRejections(
  rejections: readonly Rejection[],
  { key, operation, text = '' }: Filters,
  { from, to }: Period,
): Rejection[] {
  const search = text.trim().toLowerCase();
  return rejections.filter((rejection) => {
    const at = Date.parse(rejection.at);
    return (
      at >= from &&
      at < to &&
      (key === undefined || rejection.key_id === key) &&
      (operation === undefined || rejection.operation === operation) &&
      (search === '' || textOf(rejection).includes(search))
    );
  });
}

function textOf({ request_id, account_id, errors, problem, record }: Rejection): string {
  return JSON.stringify([request_id, account_id, errors, problem, record]).toLowerCase();
}

function timeOf(text: string | undefined): number | undefined {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? undefined : time;
}
