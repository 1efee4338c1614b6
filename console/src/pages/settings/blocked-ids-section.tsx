import { SimpleGrid, Stack } from '@mantine/core';
import { useBlockedIds } from '../../api/blocked-ids';
import { LinesLoading } from '../../parts/lines-loading';
import { QueryView } from '../../parts/query-view';
import { OwnPatterns } from './own-patterns';
import { SystemPatterns } from './system-patterns';
import { TestId } from './test-id';

export function BlockedIdsSection() {
  const query = useBlockedIds();
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg" verticalSpacing="lg">
      <QueryView query={query} loading={<LinesLoading lines={2} height={260} />}>
        {({ data, system }) => (
          <Stack gap="lg" miw={0}>
            <OwnPatterns patterns={data} />
            <SystemPatterns patterns={system} />
          </Stack>
        )}
      </QueryView>
      <TestId />
    </SimpleGrid>
  );
}
