import { useQuery } from '@tanstack/react-query';
import { call } from './call';
import type { Stats } from './stats';

type Totals = Pick<Stats, 'accounts' | 'archived'>;

/** Number of accounts without archived ones. Statistics trail writes by about a second. */
export function useAccountTotal() {
  return useTotals(({ accounts }) => accounts);
}

export function useArchivedTotal() {
  return useTotals(({ archived }) => archived);
}

function useTotals(select: (totals: Totals) => number) {
  return useQuery({
    queryKey: ['stats', 'accounts'],
    queryFn: ({ signal }) => call<Totals>('/stats', { parameters: { unit: 'day' }, signal }),
    select,
  });
}
