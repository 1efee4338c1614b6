import { useQuery } from '@tanstack/react-query';
import { call } from './call';

/** How many accounts there are, about a second ago. */
export function useAccountTotal() {
  return useQuery({
    queryKey: ['stats', 'accounts'],
    queryFn: ({ signal }) =>
      call<{ accounts: number }>('/stats', { parameters: { unit: 'day' }, signal }).then(
        ({ accounts }) => accounts,
      ),
  });
}
