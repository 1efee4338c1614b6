import { Anchor } from '@mantine/core';
import { Link } from 'wouter';
import { useScopes, useWhoMayAdmin } from '../../api/session';
import { EmptyState } from '../../components/empty-state';
import { IconPlugConnected } from '../../icons/icons.js';

/** Explains where sources come from. */
export function NoSources() {
  const { mayAdmin } = useScopes();
  const whoMay = useWhoMayAdmin();
  return (
    <EmptyState icon={IconPlugConnected} title="No sources yet">
      A source is a system that sends accounts, such as a CRM. Every new key gets a source that is named after
      its label, and its requests appear here as runs.{' '}
      {mayAdmin ? (
        <>
          Create a source here, or{' '}
          <Anchor component={Link} href="/settings/keys" inherit underline="always">
            create a key
          </Anchor>{' '}
          for a system.
        </>
      ) : (
        `${whoMay} can create one.`
      )}
    </EmptyState>
  );
}
