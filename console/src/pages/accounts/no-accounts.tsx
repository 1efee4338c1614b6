import { Anchor, Button } from '@mantine/core';
import { IconBuildings, IconZoomExclamation } from '@tabler/icons-react';
import { Link } from 'wouter';
import { useScopes } from '../../api/session';
import { EmptyState } from '../../parts/empty-state';

/** Of a tenant that nobody has sent an account to. */
export function NoAccountsYet() {
  const { maySync } = useScopes();
  return (
    <EmptyState
      icon={IconBuildings}
      title="No accounts yet"
      action={
        <>
          {maySync && (
            <Button component={Link} href="/try">
              Send the first account
            </Button>
          )}
          <Button component={Link} href="/" variant="default">
            To the overview
          </Button>
        </>
      }
    >
      Accounts appear here as soon as another system sends them, or somebody imports a file. How to send them
      is described at{' '}
      <Anchor href="/docs" inherit underline="always">
        /docs
      </Anchor>
      .
    </EmptyState>
  );
}

interface NothingFoundProps {
  readonly search: string;
  /** The filters in words. */
  readonly filters: readonly string[];
  readonly onClear: () => void;
}

export function NothingFound({ search, filters, onClear }: NothingFoundProps) {
  const conditions = [search === '' ? [] : `an id or a name that begins with “${search}”`, filters].flat();
  return (
    <EmptyState
      icon={IconZoomExclamation}
      title="No account matches"
      action={
        <Button variant="default" onClick={onClear}>
          {search === '' ? 'Clear the filters' : filters.length === 0 ? 'Clear the search' : 'Clear all'}
        </Button>
      }
    >
      <span className="breakable">Looked for {conditions.join('; ')}.</span>
    </EmptyState>
  );
}

/** Of a page that has been emptied since its link was made. */
export function NothingHere({ onFirst }: { onFirst: () => void }) {
  return (
    <EmptyState
      icon={IconZoomExclamation}
      title="Nothing further"
      action={
        <Button variant="default" onClick={onFirst}>
          To the first page
        </Button>
      }
    >
      There were accounts on this page once; there are none now.
    </EmptyState>
  );
}
