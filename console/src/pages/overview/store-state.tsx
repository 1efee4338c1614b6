import { Alert, Group, Skeleton, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheckFilled } from '@tabler/icons-react';
import { type Status, useStatus } from '../../api/status';
import { plural } from '../../components/format';

const DATABASES = { sqlite: 'SQLite', postgres: 'PostgreSQL' } as const;

/** One line: whether the database is ready, and which one it is. */
export function StoreState() {
  const status = useStatus();
  if (status.isPending && !status.isUnreachable) return <Skeleton height={14} width={220} my={4} />;
  const isReady = !status.isUnreachable && status.data?.is_ready === true;
  const state = status.isUnreachable ? 'No response' : isReady ? 'Ready' : 'Not ready';
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
        {status.data !== undefined && ` · ${describe(status.data)}`}
      </Text>
    </Group>
  );
}

/** Warnings for the operator, and the reason why the server is not ready. */
export function StoreProblem() {
  const { data, isUnreachable } = useStatus();
  // The shell already shows that the server does not respond.
  if (data === undefined || isUnreachable) return <div role="status" />;
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
          {problem} The data on this page may be out of date. It is updated automatically.
        </Alert>
      )}
    </div>
  );
}

function describe({ database, version, waiting_records }: Status): string {
  const parts = [DATABASES[database], `version ${version}`];
  return (waiting_records > 0 ? [...parts, `${plural(waiting_records, 'record')} waiting`] : parts).join(
    ' · ',
  );
}
