import type {
  Page,
  ReplayFrom,
  TestDelivery,
  Webhook,
  WebhookDelivery,
  WebhookSettings,
  WebhookWithSecret,
} from '@account-sync/client';
import {
  type QueryClient,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect } from 'react';
import { call, encodePathSegment } from './call';

const WEBHOOKS = ['webhooks'];
const DELIVERIES_PER_PAGE = 50;
const POLL_MS = 15_000;
/** While events are being delivered. */
const BUSY_POLL_MS = 3_000;

/** Body of `PATCH /webhooks/{id}`. What is left out stays unchanged. */
export type WebhookChanges = Partial<WebhookSettings> & { readonly state?: 'active' | 'paused' };

/** Oldest first. */
export function useWebhooks() {
  return useQuery({
    queryKey: [...WEBHOOKS, 'all'],
    queryFn: async ({ signal }) => (await call<{ data: readonly Webhook[] }>('/webhooks', { signal })).data,
    refetchInterval: ({ state }) => (state.data?.some(isBusy) ? BUSY_POLL_MS : POLL_MS),
  });
}

export function useWebhook(id: string) {
  return useQuery({
    queryKey: [...WEBHOOKS, 'one', id],
    queryFn: ({ signal }) => call<Webhook>(pathOf(id), { signal }),
    // A webhook that does not exist is requested again on focus only.
    refetchInterval: ({ state }) =>
      state.status !== 'error' && (state.data && isBusy(state.data) ? BUSY_POLL_MS : POLL_MS),
  });
}

/** Newest first. Read again when the webhook shows another attempt; the interval is for test events of others. */
export function useDeliveries({ id, delivered_at, failures }: Webhook) {
  const query = useInfiniteQuery({
    queryKey: [...WEBHOOKS, 'deliveries', id],
    queryFn: ({ pageParam, signal }) => {
      const parameters = { limit: DELIVERIES_PER_PAGE, cursor: pageParam };
      return call<Page<WebhookDelivery>>(pathOf(id, '/deliveries'), { parameters, signal });
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    refetchInterval: POLL_MS,
  });
  const { refetch, isFetchingNextPage } = query;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt has changed one of them
  useEffect(() => {
    // A page that was asked for is not cancelled.
    refetch({ cancelRefetch: !isFetchingNextPage });
  }, [refetch, delivered_at, failures]);
  return query;
}

/** Passes the webhook to a callback. A mutation result would stay in the cache, and the secret must not. */
export function useCreateWebhook(onCreated: (webhook: WebhookWithSecret) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (body: WebhookSettings) =>
      onCreated(await call<WebhookWithSecret>('/webhooks', { method: 'POST', body })),
    onSuccess: () => refetchAll(queries),
  });
}

/** See `useCreateWebhook`. */
export function useRotateSecret(id: string, onRotated: (webhook: WebhookWithSecret) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async () =>
      onRotated(await call<WebhookWithSecret>(pathOf(id, '/rotate-secret'), { method: 'POST' })),
    onSuccess: () => refetchAll(queries),
  });
}

export function useChangeWebhook(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: WebhookChanges) => call<Webhook>(pathOf(id), { method: 'PATCH', body }),
    onSuccess: () => refetchAll(queries),
  });
}

export function useReplay(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: ReplayFrom) => call<Webhook>(pathOf(id, '/replay'), { method: 'POST', body }),
    onSuccess: () => refetchAll(queries),
  });
}

/** Sends a test event, and returns the answer of the receiver. */
export function useTestEvent(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => call<TestDelivery>(pathOf(id, '/test'), { method: 'POST' }),
    onSuccess: () => refetchAll(queries),
  });
}

export function useRemoveWebhook(id: string, onRemoved: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => call<void>(pathOf(id), { method: 'DELETE' }),
    onSuccess: () => {
      // Leave the page first: it would request the removed webhook again.
      onRemoved();
      queries.removeQueries({ queryKey: [...WEBHOOKS, 'one', id] });
      queries.removeQueries({ queryKey: [...WEBHOOKS, 'deliveries', id] });
      return refetchAll(queries);
    },
  });
}

/** Cancels first: the first request of a query is not repeated while it is under way, and may have read old data. */
async function refetchAll(queries: QueryClient): Promise<void> {
  await queries.cancelQueries({ queryKey: WEBHOOKS });
  await queries.invalidateQueries();
}

function isBusy({ state, has_all }: Webhook): boolean {
  return state === 'active' && !has_all;
}

function pathOf(id: string, rest = ''): string {
  return `/webhooks/${encodePathSegment(id)}${rest}`;
}
