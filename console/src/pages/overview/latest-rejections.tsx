import { Button, Group, Text } from '@mantine/core';
import { Link } from 'wouter';
import { KEPT_PER_SECOND, KEPT_REJECTIONS, type Rejection, useLatestRejections } from '../../api/rejections';
import { formatNumber, plural } from '../../components/format';
import { Panel } from '../../components/panel';
import { QueryView } from '../../components/query-view';
import { SkeletonLines } from '../../components/skeleton-lines';
import { SourceAndRun } from '../../components/source-and-run';
import { Timestamp } from '../../components/timestamp';

const SHOWN = 8;

interface LatestRejectionsProps {
  /** Whether to show the panel if there are no rejections. */
  readonly showsEmpty: boolean;
}

export function LatestRejections({ showsEmpty }: LatestRejectionsProps) {
  const rejections = useLatestRejections(SHOWN);
  if (!showsEmpty && (rejections.data ?? []).length === 0) return null;
  return (
    <Panel
      title="Latest rejections"
      actions={
        <Button component={Link} href="/rejections" variant="subtle" size="compact-xs">
          All rejections
        </Button>
      }
    >
      <QueryView query={rejections} loading={<SkeletonLines lines={SHOWN} height={58} />}>
        {(latest) =>
          latest.length === 0 ? (
            <Text size="sm" c="dimmed">
              No records were rejected in the last days. When a record is rejected, the reason appears here.
            </Text>
          ) : (
            <>
              <ul className="row-list">
                {latest.map((rejection) => (
                  <RejectionRow key={rejection.id} rejection={rejection} />
                ))}
              </ul>
              <Text size="xs" c="dimmed" mt="sm">
                The statistics count every rejection. Details are stored for the newest{' '}
                {formatNumber(KEPT_REJECTIONS)}, and for about {KEPT_PER_SECOND} per second.
              </Text>
            </>
          )
        }
      </QueryView>
    </Panel>
  );
}

function RejectionRow({ rejection }: { rejection: Rejection }) {
  const { at, account_id, errors, problem, source, run_id } = rejection;
  const messages = problem === null ? Object.values(errors ?? {}).flat() : [problem];
  return (
    <li>
      <Text size="sm" className="breakable" lineClamp={3}>
        {messages[0]}
        {messages.length > 1 && ` (and ${plural(messages.length - 1, 'more reason')})`}
      </Text>
      <Group justify="space-between" gap="sm" wrap="nowrap" align="baseline">
        <Text size="xs" c="dimmed" miw={0} truncate="end">
          {account_id || 'No account id'}
          {(source !== null || run_id !== null) && ' · '}
          <SourceAndRun source={source} runId={run_id} />
        </Text>
        <Text size="xs" c="dimmed" style={{ flex: 'none' }}>
          <Timestamp at={at} />
        </Text>
      </Group>
    </li>
  );
}
