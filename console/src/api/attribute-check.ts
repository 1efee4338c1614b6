import type { Attribute, Json } from '@account-sync/client';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { addUpChecks } from './add-up-checks';
import { call, segment } from './call';

/** What values have to fit. */
export interface ValueType {
  readonly type: Attribute['type'];
  /** Empty but for a `choice`. */
  readonly choices: readonly string[];
}

/** What a part of the accounts holds. */
export interface AttributeCheck {
  readonly looked_at: number;
  readonly values: number;
  readonly unfit: number;
  /** How many of the values each type would take. */
  readonly fits: Readonly<Record<Exclude<Attribute['type'], 'choice'>, number>>;
  readonly examples: readonly Json[];
  readonly unfit_examples: readonly { readonly account_id: string; readonly value: Json }[];
  readonly distinct: readonly string[] | null;
  readonly next: string | null;
}

interface CheckOptions {
  readonly isEnabled?: boolean;
  /** Whether it goes on after the first part by itself. */
  readonly goesOn?: boolean;
}

export type CheckRun = ReturnType<typeof useAttributeCheck>;

/** How stored values would fit a type, a part of the accounts after the other, until it is stopped. */
export function useAttributeCheck(name: string, { type, choices }: ValueType, options: CheckOptions = {}) {
  const { isEnabled = true, goesOn = false } = options;
  const [isGoing, setGoing] = useState(goesOn);
  const queries = useQueryClient();
  const queryKey = ['attribute-check', name, type, choices];
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam: cursor, signal }) =>
      call<AttributeCheck>(`/attributes/${segment(name)}/check`, {
        method: 'POST',
        body: { type, choices, cursor },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    select: ({ pages }) => addUpChecks(pages),
    enabled: isEnabled,
    // Going through all accounts again is worth it only where somebody looks again.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const { data, error, isFetching, hasNextPage, fetchNextPage } = query;
  const isDue = isGoing && hasNextPage && !isFetching && error === null;
  useEffect(() => {
    if (isDue) fetchNextPage();
  }, [isDue, fetchNextPage]);
  return {
    sum: data,
    error,
    retry: () => (data === undefined ? query.refetch() : fetchNextPage()),
    isRunning: isEnabled && error === null && (data === undefined || (isGoing && hasNextPage)),
    stop: () => {
      setGoing(false);
      queries.cancelQueries({ queryKey });
    },
    goOn: () => setGoing(true),
  };
}
