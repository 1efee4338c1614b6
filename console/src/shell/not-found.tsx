import { Button } from '@mantine/core';
import { IconMapPinQuestion } from '@tabler/icons-react';
import { Link } from 'wouter';
import { EmptyState } from '../parts/empty-state';
import { PageHead } from '../parts/page-head';

export function NotFound() {
  return (
    <>
      <PageHead title="Not found" />
      <EmptyState
        icon={IconMapPinQuestion}
        title="There is no such page"
        action={
          <Button component={Link} href="/" variant="default">
            To the start
          </Button>
        }
      >
        It does not exist, or your key does not have the scope for it.
      </EmptyState>
    </>
  );
}
