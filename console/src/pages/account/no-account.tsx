import { Button, Stack, Title } from '@mantine/core';
import { Link } from 'wouter';
import { useChildCount, useHistory } from '../../api/account';
import { EmptyState } from '../../components/empty-state';
import { PageHead } from '../../components/page-head';
import { IconBuildingOff } from '../../icons/icons.js';
import { ChildTree } from './child-tree';
import { HistoryList } from './history-list';

/** No account has this id. It may have been deleted, and other accounts may have it as their parent. */
export function NoAccount({ id }: { id: string }) {
  const children = useChildCount(id).data;
  const history = useHistory(id, undefined, undefined);
  const isDeleted = history.data !== undefined;
  return (
    <>
      <PageHead title={id} />
      <EmptyState
        icon={IconBuildingOff}
        title={isDeleted ? 'This account was deleted' : 'This account does not exist'}
        action={
          <Button component={Link} href="/accounts" variant="default">
            Search accounts
          </Button>
        }
      >
        {isDeleted
          ? 'Its values are deleted. If a system sends this id again, a new account is created.'
          : 'Check the id for typing errors. If no system has sent this account yet, it appears here once one does.'}
      </EmptyState>
      <Stack gap="xl">
        {children !== undefined && children.accounts > 0 && (
          <section>
            <Title order={2} size="h4" mb="sm">
              Accounts with this parent
            </Title>
            <ChildTree id={id} />
          </section>
        )}
        {isDeleted && (
          <section>
            <Title order={2} size="h4" mb="sm">
              History without values
            </Title>
            <HistoryList history={history} />
          </section>
        )}
      </Stack>
    </>
  );
}
