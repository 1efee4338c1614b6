import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorState } from './error-state';

interface QueryViewProps<T> {
  readonly query: UseQueryResult<T>;
  /** As large as the content, so that the layout does not shift. */
  readonly loading: ReactNode;
  readonly children: (data: T) => ReactNode;
}

/** Shows a query as loading, failed or loaded. Loaded data stays visible while it is refetched. */
export function QueryView<T>({ query, loading, children }: QueryViewProps<T>) {
  if (query.data !== undefined) return children(query.data);
  if (query.isError) return <ErrorState error={query.error} retry={() => query.refetch()} />;
  return loading;
}
