import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { firstChangeAt } from '../../api/changes';
import { readStats } from '../../api/stats';
import { activityOf } from './activity';
import { type Period, spanOf } from './periods';

const POLL_MS = 12_000;
/** Shorter until the first account is counted, because the user waits for it. */
const FIRST_ACCOUNT_POLL_MS = 1_000;

/** Polls while the page is open. */
export function useActivity(period: Period) {
  return useQuery({
    queryKey: ['stats', period],
    queryFn: async ({ signal }) => {
      const span = spanOf(period, Date.now());
      const [stats, first] = await Promise.all([
        readStats(span.unit, span.beforeStart, signal),
        firstChangeAt(signal),
      ]);
      return activityOf(period, span, stats, first);
    },
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.accounts === 0 ? FIRST_ACCOUNT_POLL_MS : POLL_MS),
  });
}
