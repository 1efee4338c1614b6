import { Button } from '@mantine/core';
import { Link } from 'wouter';
import { useSession } from '../api/session';
import { EmptyState } from '../components/empty-state';
import { PageHead } from '../components/page-head';
import { IconMapPinQuestion } from '../icons/icons.js';

export function NotFound() {
  const user = useSession().data?.user;
  return (
    <>
      <PageHead title="Page not found" />
      <EmptyState
        icon={IconMapPinQuestion}
        title="This page does not exist"
        action={
          <Button component={Link} href="/" variant="default">
            Go to the overview
          </Button>
        }
      >
        Check the address.{' '}
        {user
          ? 'If the page needs another role, ask an administrator of the tenant.'
          : 'If the page needs a scope that your key lacks, sign in with another key.'}
      </EmptyState>
    </>
  );
}
