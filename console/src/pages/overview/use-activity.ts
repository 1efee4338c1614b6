import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { firstChangeAt } from '../../api/changes';
import { readStats } from '../../api/stats';
import { activityOf } from './activity';
import { type Period, spanOf } from './periods';

const LIVE_MS = 12_000;
/** Counts follow the first account by about a second, and somebody waits for it. */
const AWAITED_MS = 1_000;

/** Asked for again as long as somebody looks. */
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
    refetchInterval: ({ state }) => (state.data?.accounts === 0 ? AWAITED_MS : LIVE_MS),
  });
}
