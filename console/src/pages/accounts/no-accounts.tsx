import { Anchor, Button } from '@mantine/core';
import { Link } from 'wouter';
import { useArchivedTotal } from '../../api/account-total';
import { useScopes } from '../../api/session';
import { EmptyState } from '../../components/empty-state';
import { IconArchive, IconBuildings, IconZoomExclamation } from '../../icons/icons.js';

/** Shown if the tenant has no accounts, or only archived ones. */
export function NoAccountsYet() {
  const { maySync } = useScopes();
  const archived = useArchivedTotal().data ?? 0;
  if (archived > 0) return <AllArchived />;
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
            Go to the overview
          </Button>
        </>
      }
    >
      Accounts appear here as soon as a system sends them or a file is imported. The API reference describes
      how to send accounts:{' '}
      <Anchor href="/docs" inherit underline="always">
        /docs
      </Anchor>
      .
    </EmptyState>
  );
}

function AllArchived() {
  return (
    <EmptyState
      icon={IconArchive}
      title="All accounts are archived"
      action={
        <Button component={Link} href="/accounts?archived=only" variant="default">
          Show archived accounts
        </Button>
      }
    >
      They come back as soon as a source sends them again.
    </EmptyState>
  );
}

interface NothingFoundProps {
  readonly search: string;
  /** Labels of the active filters. */
  readonly filters: readonly string[];
  readonly onClear: () => void;
}

export function NothingFound({ search, filters, onClear }: NothingFoundProps) {
  const conditions = [search === '' ? [] : `id or name starts with “${search}”`, filters].flat();
  return (
    <EmptyState
      icon={IconZoomExclamation}
      title="No matching accounts"
      action={
        <Button variant="default" onClick={onClear}>
          {search === '' ? 'Clear filters' : filters.length === 0 ? 'Clear search' : 'Clear all'}
        </Button>
      }
    >
      <span className="breakable">No account matches all of these: {conditions.join('; ')}.</span>
    </EmptyState>
  );
}

/** Shown if the accounts of a linked page no longer exist. */
export function NothingHere({ onFirst }: { onFirst: () => void }) {
  return (
    <EmptyState
      icon={IconZoomExclamation}
      title="No accounts on this page"
      action={
        <Button variant="default" onClick={onFirst}>
          Go to the first page
        </Button>
      }
    >
      The accounts that were on this page have been deleted or no longer match the filters.
    </EmptyState>
  );
}
