import { Button, Group, Text } from '@mantine/core';
import { Link } from 'wouter';
import { KEPT_A_SECOND, KEPT_REJECTIONS, type Rejection, useLatestRejections } from '../../api/rejections';
import { formatNumber, plural } from '../../parts/format';
import { LinesLoading } from '../../parts/lines-loading';
import { Moment } from '../../parts/moment';
import { QueryView } from '../../parts/query-view';
import css from './overview.module.css';
import { Panel } from './panel';

const SHOWN = 8;

interface LatestRefusalsProps {
  /** Whether to say so where there are none. */
  readonly saysNone: boolean;
}

export function LatestRefusals({ saysNone }: LatestRefusalsProps) {
  const rejections = useLatestRejections(SHOWN);
  if (!saysNone && (rejections.data ?? []).length === 0) return null;
  return (
    <Panel
      title="Latest refusals"
      actions={
        <Button component={Link} href="/refusals" variant="subtle" size="compact-xs">
          All refusals
        </Button>
      }
    >
      <QueryView query={rejections} loading={<LinesLoading lines={SHOWN} height={58} />}>
        {(latest) =>
          latest.length === 0 ? (
            <Text size="sm" c="dimmed">
              Nothing was refused in the last days. A record that does not fit is refused with a reason, which
              is kept here.
            </Text>
          ) : (
            <>
              <ul className={css.rows}>
                {latest.map((rejection) => (
                  <Refusal key={rejection.id} rejection={rejection} />
                ))}
              </ul>
              <Text size="xs" c="dimmed" mt="sm">
                The figures count all that was refused. In detail the newest {formatNumber(KEPT_REJECTIONS)}{' '}
                are kept, about {KEPT_A_SECOND} a second at most.
              </Text>
            </>
          )
        }
      </QueryView>
    </Panel>
  );
}

function Refusal({ rejection }: { rejection: Rejection }) {
  const { at, account_id, errors, problem } = rejection;
  const messages = problem === null ? Object.values(errors ?? {}).flat() : [problem];
  return (
    <li>
      <Text size="sm" className="breakable" lineClamp={3}>
        {messages[0]}
        {messages.length > 1 && ` And ${plural(messages.length - 1, 'more reason')}.`}
      </Text>
      <Group justify="space-between" gap="sm" wrap="nowrap" align="baseline">
        <Text size="xs" c="dimmed" miw={0} truncate="end">
          {account_id || 'No account'}
        </Text>
        <Text size="xs" c="dimmed" style={{ flex: 'none' }}>
          <Moment at={at} />
        </Text>
      </Group>
    </li>
  );
}
