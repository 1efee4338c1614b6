import { Alert, Anchor, Group, Skeleton, Text } from '@mantine/core';
import { Link } from 'wouter';
import { useScopes, useWhoMayAdmin } from '../../api/session';
import { useSourceLabel } from '../../api/sources';
import { type Status, useStatus } from '../../api/status';
import { plural } from '../../components/format';
import { IconAlertTriangle, IconCircleCheckFilled, IconClockExclamation } from '../../icons/icons.js';

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

/** The status has a warning per late source, and one for all webhooks. Other warnings are shown as they are. */
const LATE_SOURCE = /^The source (\S+) is late\.$/;
const STOPPED_WEBHOOKS =
  /^(\d+ webhooks? w\w+ paused or disabled because of failures): see Webhooks in the console\.$/;

/** Warnings for the operator, late sources, and the reason why the server is not ready. */
export function StoreProblem() {
  const { data, isUnreachable } = useStatus();
  // The shell already shows that the server does not respond.
  if (data === undefined || isUnreachable) return <div role="status" />;
  const { problem } = data;
  const late = data.warnings.flatMap((warning) => LATE_SOURCE.exec(warning)?.[1] ?? []);
  const warnings = data.warnings.filter((warning) => !LATE_SOURCE.test(warning));
  return (
    <div role="status">
      {warnings.map((warning) => (
        <Alert key={warning} color="yellow" variant="light" mb="md" icon={<IconAlertTriangle aria-hidden />}>
          <Warning text={warning} />
        </Alert>
      ))}
      {late.length > 0 && <LateSources names={late} />}
      {problem !== null && (
        <Alert color="red" variant="light" mb="md" icon={<IconAlertTriangle aria-hidden />} title="Not ready">
          {problem} The data on this page may be out of date. It is updated automatically.
        </Alert>
      )}
    </div>
  );
}

/** With a link to the webhooks, if it is about them. */
function Warning({ text }: { text: string }) {
  const { mayAdmin } = useScopes();
  const whoMay = useWhoMayAdmin();
  const stopped = STOPPED_WEBHOOKS.exec(text)?.[1];
  if (stopped === undefined) return text;
  if (!mayAdmin) return `${stopped}. ${whoMay} can see and resume them.`;
  return (
    <>
      {stopped}.{' '}
      <Anchor component={Link} href="/webhooks" inherit underline="always">
        See Webhooks
      </Anchor>
    </>
  );
}

function LateSources({ names }: { names: readonly string[] }) {
  const labelOf = useSourceLabel();
  return (
    <Alert
      color="yellow"
      variant="light"
      mb="md"
      icon={<IconClockExclamation aria-hidden />}
      title={names.length === 1 ? 'A source is late' : `${names.length} sources are late`}
    >
      {new Intl.ListFormat('en').format(names.map(labelOf))} should have finished a run by now.{' '}
      <Anchor component={Link} href="/sources" inherit underline="always">
        See Sources
      </Anchor>
    </Alert>
  );
}

function describe({ database, version, waiting_records }: Status): string {
  const parts = [DATABASES[database], `version ${version}`];
  return (waiting_records > 0 ? [...parts, `${plural(waiting_records, 'record')} waiting`] : parts).join(
    ' · ',
  );
}
