import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorState } from './error-state';

interface QueryViewProps<T> {
  readonly query: UseQueryResult<T>;
  /** As large as what will come, so that nothing jumps. */
  readonly loading: ReactNode;
  readonly children: (data: T) => ReactNode;
}

/** One of: being loaded, failed, there. What is there stays while it is asked for again. */
export function QueryView<T>({ query, loading, children }: QueryViewProps<T>) {
  if (query.data !== undefined) return children(query.data);
  if (query.isError) return <ErrorState error={query.error} retry={() => query.refetch()} />;
  return loading;
}
