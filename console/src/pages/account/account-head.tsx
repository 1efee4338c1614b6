import type { Account } from '@account-sync/client';
import { Group, Text } from '@mantine/core';
import { useScopes } from '../../api/session';
import { CopyButton } from '../../components/copy-button';
import { formatNumber } from '../../components/format';
import { PageHead } from '../../components/page-head';
import { Timestamp } from '../../components/timestamp';
import { DeleteAccount } from './delete-account';

export function AccountHead({ account }: { account: Account }) {
  const { mayAdmin } = useScopes();
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
      actions={mayAdmin && <DeleteAccount account={account} />}
    />
  );
}
