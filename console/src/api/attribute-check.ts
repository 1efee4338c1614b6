import type { Attribute } from '@account-sync/client';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { call, encodePathSegment } from './call';
import { type AttributeCheck, sumChecks } from './sum-checks';

/** The type that values are checked against. */
export interface ValueType {
  readonly type: Attribute['type'];
  /** Empty for all types except `choice`. */
  readonly choices: readonly string[];
}

interface CheckOptions {
  readonly isEnabled?: boolean;
  /** Whether to continue after the first part without being asked. */
  readonly checksAll?: boolean;
}

export type CheckRun = ReturnType<typeof useAttributeCheck>;

/** Checks stored values against a type, one part of the accounts at a time, until it is stopped. */
export function useAttributeCheck(name: string, { type, choices }: ValueType, options: CheckOptions = {}) {
  const { isEnabled = true, checksAll = false } = options;
  const [isContinuing, setContinuing] = useState(checksAll);
  const queries = useQueryClient();
  const queryKey = ['attribute-check', name, type, choices];
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam: cursor, signal }) =>
      call<AttributeCheck>(`/attributes/${encodePathSegment(name)}/check`, {
        method: 'POST',
        body: { type, choices, cursor },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    select: ({ pages }) => sumChecks(pages),
    enabled: isEnabled,
    // Checking all accounts is expensive: it runs again only when the component is opened again.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const { data, error, isFetching, hasNextPage, fetchNextPage } = query;
  const isDue = isContinuing && hasNextPage && !isFetching && error === null;
  useEffect(() => {
    if (isDue) fetchNextPage();
  }, [isDue, fetchNextPage]);
  return {
    totals: data,
    error,
    retry: () => (data === undefined ? query.refetch() : fetchNextPage()),
    isRunning: isEnabled && error === null && (data === undefined || (isContinuing && hasNextPage)),
    stop: () => {
      setContinuing(false);
      queries.cancelQueries({ queryKey });
    },
    resume: () => setContinuing(true),
  };
}
