import { Alert, Group, Skeleton, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheckFilled } from '@tabler/icons-react';
import { type Status, useStatus } from '../../api/status';
import { plural } from '../../parts/format';

const DATABASES = { sqlite: 'SQLite', postgres: 'PostgreSQL' } as const;

/** In a line: whether the store is ready, and what it is. */
export function StoreState() {
  const status = useStatus();
  if (status.isPending && !status.isAway) return <Skeleton height={14} width={220} my={4} />;
  const isReady = !status.isAway && status.data?.is_ready === true;
  const state = status.isAway ? 'No answer' : isReady ? 'Ready' : 'Not ready';
  const Icon = isReady ? IconCircleCheckFilled : IconAlertTriangle;
  return (
    <Group gap={6} component="span" wrap="nowrap">
      <Icon
        size={16}
        color={isReady ? 'var(--mantine-color-teal-6)' : 'var(--mantine-color-error)'}
        aria-hidden
      />
      <Text span inherit>
        {state}
        {status.data !== undefined && ` · ${inWords(status.data)}`}
      </Text>
    </Group>
  );
}

/** Over everything, where what is shown may be old, or somebody has to do something. */
export function StoreProblem() {
  const { data, isAway } = useStatus();
  // That there is no answer is said above every page.
  if (data === undefined || isAway) return <div role="status" />;
  const { problem, warnings } = data;
  return (
    <div role="status">
      {warnings.map((warning) => (
        <Alert key={warning} color="yellow" variant="light" mb="md" icon={<IconAlertTriangle aria-hidden />}>
          {warning}
        </Alert>
      ))}
      {problem !== null && (
        <Alert color="red" variant="light" mb="md" icon={<IconAlertTriangle aria-hidden />} title="Not ready">
          {problem} What is shown here may be old; it is asked for again by itself.
        </Alert>
      )}
    </div>
  );
}

function inWords({ database, version, waiting_records }: Status): string {
  const parts = [DATABASES[database], `version ${version}`];
  return (waiting_records > 0 ? [...parts, `${plural(waiting_records, 'record')} waiting`] : parts).join(
    ' · ',
  );
}
