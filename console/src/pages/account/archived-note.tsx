import type { Account } from '@account-sync/client';
import { Alert, Text } from '@mantine/core';
import { formatLocalShort } from '../../components/format';
import { IconArchive } from '../../icons/icons.js';

export function ArchivedNote({ account: { archived_at } }: { account: Account }) {
  if (archived_at === null) return null;
  return (
    <Alert
      variant="default"
      icon={<IconArchive aria-hidden />}
      title={`Archived since ${formatLocalShort(archived_at)}`}
      mb="md"
      maw={920}
    >
      <Text size="sm">It is out of listings, and comes back as soon as a source sends it again.</Text>
    </Alert>
  );
}
