import type { Json, Page, Sender } from '@account-sync/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { call } from './call';

export interface AuditEntry extends Sender {
  readonly id: string;
  readonly at: string;
  readonly via: 'api' | 'command line' | 'service';
  readonly request_id: string | null;
  readonly action: string;
  readonly subject: string;
  readonly from: Json;
  readonly to: Json;
}

/** Newest first. */
export function useAudit() {
  return useInfiniteQuery({
    queryKey: ['audit'],
    queryFn: ({ pageParam, signal }) =>
      call<Page<AuditEntry>>('/audit', { parameters: { limit: 50, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
  });
}
