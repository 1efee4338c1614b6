import type { Rejection } from '../../api/rejections';
import { useAddressParameters } from '../../parts/use-address';
import { useNow } from '../../parts/use-now';
import { OPERATIONS } from './operations';

const HOUR = 3_600_000;

/** What stands in the address; everything is text there. */
export interface Filters {
  readonly key?: string;
  readonly operation?: string;
  readonly account?: string;
  /** `hour` or `day`; in place of the two moments. */
  readonly last?: string;
  /** Not before this moment. */
  readonly since?: string;
  /** Before this moment. */
  readonly until?: string;
  readonly text?: string;
  /** The group that is open. */
  readonly open?: string;
}

const NAMES = ['key', 'operation', 'account', 'last', 'since', 'until', 'text', 'open'] as const;

export type ChangeFilters = ReturnType<typeof useAddressParameters>[1];

/** Whatever somebody wrote into the address: what means nothing here is left out. */
export function useFilters(): [Filters, ChangeFilters] {
  const [parameters, change] = useAddressParameters();
  const filters = Object.fromEntries(
    NAMES.map((name) => [name, parameters.get(name) ?? '']).filter(([name, value]) => means(name, value)),
  );
  return [filters, change];
}

function means(name = '', value = ''): boolean {
  if (name === 'last') return value === 'hour' || value === 'day';
  if (name === 'operation') return Object.hasOwn(OPERATIONS, value);
  if (name === 'since' || name === 'until') return momentOf(value) !== undefined;
  return value !== '';
}

export interface Period {
  readonly from: number;
  readonly to: number;
}

/** The time that is looked at. Without a beginning or an end all is, on that side. */
export function usePeriod({ last, since, until }: Filters): Period {
  const now = useNow();
  if (last === 'hour' || last === 'day') {
    return { from: now - (last === 'hour' ? HOUR : 24 * HOUR), to: Number.POSITIVE_INFINITY };
  }
  return {
    from: momentOf(since) ?? Number.NEGATIVE_INFINITY,
    to: momentOf(until) ?? Number.POSITIVE_INFINITY,
  };
}

export function filterRefusals(
  refusals: readonly Rejection[],
  { key, operation, text = '' }: Filters,
  { from, to }: Period,
): Rejection[] {
  const sought = text.trim().toLowerCase();
  return refusals.filter((refusal) => {
    const at = Date.parse(refusal.at);
    return (
      at >= from &&
      at < to &&
      (key === undefined || refusal.key_id === key) &&
      (operation === undefined || refusal.operation === operation) &&
      (sought === '' || textOf(refusal).includes(sought))
    );
  });
}

function textOf({ request_id, account_id, errors, problem, record }: Rejection): string {
  return JSON.stringify([request_id, account_id, errors, problem, record]).toLowerCase();
}

function momentOf(text: string | undefined): number | undefined {
  const moment = Date.parse(text ?? '');
  return Number.isNaN(moment) ? undefined : moment;
}
