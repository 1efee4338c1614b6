import { SimpleGrid, Stack } from '@mantine/core';
import { useBlockedIds } from '../../api/blocked-ids';
import { QueryView } from '../../components/query-view';
import { SkeletonLines } from '../../components/skeleton-lines';
import { AccountIdTester } from './account-id-tester';
import { OwnPatterns } from './own-patterns';
import { SystemPatterns } from './system-patterns';

export function BlockedIdsSection() {
  const query = useBlockedIds();
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg" verticalSpacing="lg">
      <QueryView query={query} loading={<SkeletonLines lines={2} height={260} />}>
        {({ data, system }) => (
          <Stack gap="lg" miw={0}>
            <OwnPatterns patterns={data} />
            <SystemPatterns patterns={system} />
          </Stack>
        )}
      </QueryView>
      <AccountIdTester />
    </SimpleGrid>
  );
}
