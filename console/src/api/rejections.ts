import type { ErrorsByAttribute, Json, Page } from '@account-sync/client';
import { useQuery } from '@tanstack/react-query';
import { call } from './call';

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
