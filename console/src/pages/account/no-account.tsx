import { Button, Stack, Title } from '@mantine/core';
import { IconBuildingOff } from '@tabler/icons-react';
import { Link } from 'wouter';
import { useChildCount, useHistory } from '../../api/account';
import { EmptyState } from '../../parts/empty-state';
import { PageHead } from '../../parts/page-head';
import { Below } from './below';
import { HistoryList } from './history-list';

/** Nothing is stored by that id; but it may have been, and others may name it. */
export function NoAccount({ id }: { id: string }) {
  const children = useChildCount(id).data;
  const history = useHistory(id, undefined, undefined);
  const isDeleted = history.data !== undefined;
  return (
    <>
      <PageHead title={id} />
      <EmptyState
        icon={IconBuildingOff}
        title={isDeleted ? 'This account was deleted' : 'There is no such account'}
        action={
          <Button component={Link} href="/accounts" variant="default">
            Search accounts
          </Button>
        }
      >
        {isDeleted
          ? 'What it held is erased. If a system sends it again, it is created anew.'
          : 'No system has sent an account with this id yet, or the id is mistyped. Once one is sent, it is shown here.'}
      </EmptyState>
      <Stack gap="xl">
        {children !== undefined && children.accounts > 0 && (
          <section>
            <Title order={2} size="h4" mb="sm">
              Accounts that name it as their parent
            </Title>
            <Below id={id} />
          </section>
        )}
        {isDeleted && (
          <section>
            <Title order={2} size="h4" mb="sm">
              What is left of its history
            </Title>
            <HistoryList history={history} />
          </section>
        )}
      </Stack>
    </>
  );
}
