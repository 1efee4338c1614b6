import type { ErrorsByAttribute, Json, Page } from '@account-sync/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { call } from './call';
import { readStats, type StatsUnit } from './stats';

export interface Rejection {
  readonly id: string;
  readonly at: string;
  readonly request_id: string;
  readonly key_id: string;
  readonly operation: string;
  readonly status: number;
  /** The place of the record in its batch or import. */
  readonly index: number | null;
  readonly account_id: string | null;
  readonly errors: ErrorsByAttribute | null;
  /** The message, where it is about no attribute. */
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

/** As many as a tenant keeps. */
export const KEPT_REJECTIONS = 1_000;

/** About as many of a tenant are kept in a second. */
export const KEPT_A_SECOND = 50;

/** A time in whole units, as refusals are counted. */
export interface CountedSpan {
  readonly unit: StatsUnit;
  readonly start: number;
  readonly end: number;
}

/** How many were refused in a time, those included that are only counted; asked for anew whenever the others are. */
export function useRefusedCount({ unit, start, end }: CountedSpan, askedAt: number) {
  return useQuery({
    queryKey: ['stats', 'refused', unit, start, end, askedAt],
    queryFn: async ({ signal }) => {
      const { data } = await readStats(unit, start, signal);
      return data
        .filter((counted) => Date.parse(counted.start) < end)
        .reduce((total, { refused }) => total + refused, 0);
    },
    placeholderData: keepPreviousData,
  });
}

/** All that are kept, newest first: of one account, in whichever spelling, or of all. */
export function useRejections(accountId: string | undefined) {
  return useQuery({
    queryKey: ['rejections', 'all', accountId],
    queryFn: ({ signal }) => readAll(accountId, signal),
    refetchInterval: 15_000,
    placeholderData: keepPreviousData,
  });
}

async function readAll(account_id: string | undefined, signal: AbortSignal): Promise<readonly Rejection[]> {
  const all: Rejection[] = [];
  let cursor: string | undefined;
  do {
    const parameters = { limit: KEPT_REJECTIONS, account_id, cursor };
    const page: Page<Rejection> = await call('/rejections', { parameters, signal });
    all.push(...page.data);
    cursor = page.next ?? undefined;
  } while (cursor !== undefined);
  return all;
}
