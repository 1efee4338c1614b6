import type { ErrorsByAttribute, Json, Page, Sender } from '@account-sync/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { call } from './call';
import { readStats, type StatsUnit } from './stats';

export interface Rejection extends Sender {
  readonly id: string;
  readonly at: string;
  readonly request_id: string;
  /** Null if it is not known any more. */
  readonly source: string | null;
  readonly run_id: string | null;
  readonly operation: string;
  readonly status: number;
  /** Index of the record in its batch or import. */
  readonly index: number | null;
  readonly account_id: string | null;
  readonly errors: ErrorsByAttribute | null;
  /** The message, if it is about no attribute. */
  readonly problem: string | null;
  readonly record: Json;
}

/** The newest first. */
export function useLatestRejections(limit: number) {
  return useQuery({
    queryKey: ['rejections', 'latest', limit],
    queryFn: async ({ signal }) =>
      (await call<Page<Rejection>>('/rejections', { parameters: { limit }, signal })).data,
    refetchInterval: 12_000,
  });
}

/** The server's limit of stored rejections per tenant. */
export const KEPT_REJECTIONS = 1_000;

/** The server stores about this many rejections per second and tenant, and only counts the others. */
export const KEPT_PER_SECOND = 50;

/** A time range in whole units of the statistics. */
export interface CountedSpan {
  readonly unit: StatsUnit;
  readonly start: number;
  readonly end: number;
}

/** Number of rejections in a time range, including those without details. Read again whenever the list is. */
export function useRejectedCount({ unit, start, end }: CountedSpan, listReadAt: number) {
  return useQuery({
    queryKey: ['stats', 'refused', unit, start, end, listReadAt],
    queryFn: async ({ signal }) => {
      const { data } = await readStats(unit, start, signal);
      return data
        .filter((counted) => Date.parse(counted.start) < end)
        .reduce((total, { refused }) => total + refused, 0);
    },
    placeholderData: keepPreviousData,
  });
}

/** The account filter ignores case. */
export interface RejectionFilter {
  readonly account_id?: string | undefined;
  readonly run_id?: string | undefined;
}

/** All stored rejections that match the filter, newest first. */
export function useRejections(filter: RejectionFilter) {
  return useQuery({
    queryKey: ['rejections', 'all', filter],
    queryFn: ({ signal }) => readAll(filter, signal),
    refetchInterval: 15_000,
    placeholderData: keepPreviousData,
  });
}

async function readAll(filter: RejectionFilter, signal: AbortSignal): Promise<readonly Rejection[]> {
  const all: Rejection[] = [];
  let cursor: string | undefined;
  do {
    const parameters = { ...filter, limit: KEPT_REJECTIONS, cursor };
    const page: Page<Rejection> = await call('/rejections', { parameters, signal });
    all.push(...page.data);
    cursor = page.next ?? undefined;
  } while (cursor !== undefined);
  return all;
}
