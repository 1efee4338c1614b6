import { useQuery } from '@tanstack/react-query';
import { call } from './call';

/** Number of accounts. Statistics trail writes by about a second. */
export function useAccountTotal() {
  return useQuery({
    queryKey: ['stats', 'accounts'],
    queryFn: ({ signal }) =>
      call<{ accounts: number }>('/stats', { parameters: { unit: 'day' }, signal }).then(
        ({ accounts }) => accounts,
      ),
  });
}
