import { Paper, Stack, Text, Title } from '@mantine/core';
import { useAudit } from '../../api/audit';
import { useKeyLabels } from '../../api/keys';
import { EmptyState } from '../../components/empty-state';
import { ErrorState } from '../../components/error-state';
import { ShowMore } from '../../components/show-more';
import { SkeletonLines } from '../../components/skeleton-lines';
import { IconHistory } from '../../icons/icons.js';
import { AuditRow } from './audit-row';

export function AuditSection() {
  const audit = useAudit();
  const labels = useKeyLabels();
  const keyName = (id: string) => {
    const label = labels.get(id) ?? '';
    return label === '' ? id : `${label} (${id})`;
  };
  const entries = audit.data?.pages.flatMap(({ data }) => data);
  return (
    <Paper p="lg" component="section" aria-label="Audit">
      <Title order={2} size="h4">
        Audit log
      </Title>
      <Text c="dimmed" size="sm" mb="md">
        All changes of settings, attributes, blocked ids, sources, webhooks, people and keys, newest first.
      </Text>
      {entries === undefined && !audit.isError && <SkeletonLines lines={6} height={52} />}
      {entries?.length === 0 && <EmptyState icon={IconHistory} title="No changes yet" />}
      {entries !== undefined && entries.length > 0 && (
        <Stack component="ul" gap={0} m={0} p={0} aria-label="Changes">
          {entries.map((entry) => (
            <AuditRow key={entry.id} entry={entry} keyName={keyName} />
          ))}
        </Stack>
      )}
      {audit.isError && <ErrorState error={audit.error} retry={() => audit.refetch()} />}
      <ShowMore query={audit} />
    </Paper>
  );
}
