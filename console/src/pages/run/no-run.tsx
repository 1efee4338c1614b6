import { Button } from '@mantine/core';
import { Link } from 'wouter';
import { EmptyState } from '../../components/empty-state';
import { PageHead } from '../../components/page-head';
import { IconRefreshOff } from '../../icons/icons.js';

export function NoRun({ id }: { id: string }) {
  return (
    <>
      <PageHead title={`Run ${id}`} />
      <EmptyState
        icon={IconRefreshOff}
        title="This run does not exist"
        action={
          <Button component={Link} href="/runs" variant="default">
            All runs
          </Button>
        }
      >
        Check the number in the address. Each tenant sees only its own runs.
      </EmptyState>
    </>
  );
}
