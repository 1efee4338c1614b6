import type { Run } from '@account-sync/client';
import { Text } from '@mantine/core';
import { useRejections } from '../../api/rejections';
import { plural } from '../../components/format';
import { Panel } from '../../components/panel';
import { QueryView } from '../../components/query-view';
import { SkeletonLines } from '../../components/skeleton-lines';
import { useQueryParameters } from '../../components/use-url';
import { GroupList } from '../rejections/group-list';
import { groupRejections } from '../rejections/group-rejections';

/** The rejections of the run that are stored with details, grouped by error. */
export function RunRejections({ run }: { run: Run }) {
  const query = useRejections({ run_id: run.id });
  const [parameters, change] = useQueryParameters();
  return (
    <Panel title="Rejections">
      <QueryView query={query} loading={<SkeletonLines lines={2} height={66} />}>
        {(rejections) =>
          rejections.length === 0 ? (
            <Text size="sm" c="dimmed">
              {run.rejected === 0
                ? 'No record of this run was rejected.'
                : 'Details of these rejections are not stored, or not any more.'}
            </Text>
          ) : (
            <>
              <GroupList
                groups={groupRejections(rejections)}
                open={parameters.get('open') ?? undefined}
                onOpen={(open) => change({ open })}
              />
              <Text size="xs" c="dimmed" mt="sm">
                {plural(run.rejected, 'record')} {run.rejected === 1 ? 'was' : 'were'} rejected. A single
                invalid record rejects its whole batch, and details are stored for a limited number of
                rejections.
              </Text>
            </>
          )
        }
      </QueryView>
    </Panel>
  );
}
