import { Button } from '@mantine/core';
import { Link } from 'wouter';
import { EmptyState } from '../components/empty-state';
import { PageHead } from '../components/page-head';
import { IconMapPinQuestion } from '../icons/icons.js';

export function NotFound() {
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
        Check the address. If the page needs a scope that your key lacks, sign in with another key.
      </EmptyState>
    </>
  );
}
