import type { Account } from '@account-sync/client';
import { Button, Group, Text } from '@mantine/core';
import { useScopes } from '../../api/session';
import { CopyButton } from '../../components/copy-button';
import { formatNumber } from '../../components/format';
import { PageHead } from '../../components/page-head';
import { Timestamp } from '../../components/timestamp';
import { IconArchive, IconArchiveOff, IconPencil } from '../../icons/icons.js';
import { DeleteAccount } from './delete-account';

export type AccountDialog = 'edit' | 'archive';

interface AccountHeadProps {
  readonly account: Account;
  readonly onOpen: (dialog: AccountDialog) => void;
}

export function AccountHead({ account, onOpen }: AccountHeadProps) {
  const { mayAdmin, maySync } = useScopes();
  const ArchiveIcon = account.archived_at === null ? IconArchive : IconArchiveOff;
  return (
    <PageHead
      title={account.name ?? account.account_id}
      description={
        <Group gap="2px 16px">
          <Group gap={2} wrap="nowrap" miw={0}>
            <Text span inherit ff="monospace" className="breakable">
              {account.account_id}
            </Text>
            <CopyButton text={account.account_id} label="Copy the id" />
          </Group>
          <span aria-live="polite">Revision {formatNumber(account.revision)}</span>
          <span>
            Created <Timestamp at={account.created_at} />
          </span>
          <span>
            Last changed <Timestamp at={account.updated_at} />
          </span>
        </Group>
      }
      actions={
        <>
          {maySync && (
            <>
              <Button
                variant="default"
                leftSection={<IconPencil size={16} aria-hidden />}
                onClick={() => onOpen('edit')}
              >
                Edit
              </Button>
              <Button
                variant="default"
                leftSection={<ArchiveIcon size={16} aria-hidden />}
                onClick={() => onOpen('archive')}
              >
                {account.archived_at === null ? 'Archive' : 'Restore'}
              </Button>
            </>
          )}
          {mayAdmin && <DeleteAccount account={account} />}
        </>
      }
    />
  );
}
