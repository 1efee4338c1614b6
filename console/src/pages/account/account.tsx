import { Box } from '@mantine/core';
import { useAccount } from '../../api/account';
import { ApiError } from '../../api/call';
import type { EditOutcome } from '../../api/edit-account';
import { ErrorState } from '../../components/error-state';
import { PageHead } from '../../components/page-head';
import { SavedNote } from '../../components/saved-note';
import { SkeletonLines } from '../../components/skeleton-lines';
import { useDialog } from '../../components/use-dialog';
import { useRawPathSegment } from '../../components/use-url';
import { type AccountDialog, AccountHead } from './account-head';
import { AccountTabs } from './account-tabs';
import { AncestorBreadcrumbs } from './ancestor-breadcrumbs';
import { AncestorNotes } from './ancestor-notes';
import { ArchiveDialog } from './archive-dialog';
import { ArchivedNote } from './archived-note';
import { EditDialog } from './edit/edit-dialog';
import { EditNote } from './edit-note';
import { NoAccount } from './no-account';

/** Page of one account. */
export default function AccountPage() {
  const id = useRawPathSegment('accounts');
  return <OneAccount key={id} id={id} />;
}

function OneAccount({ id }: { id: string }) {
  const { data: account, error, isError, refetch } = useAccount(id);
  const { dialog, note, open, close, done } = useDialog<AccountDialog>();
  const showOutcome = (outcome: EditOutcome) => done(<EditNote key={outcome.requestId} outcome={outcome} />);
  // Checked before the loaded account: another user may delete it while this page is open.
  if (isError && error instanceof ApiError && error.status === 404) return <NoAccount id={id} />;
  if (account !== undefined) {
    return (
      <>
        <AncestorBreadcrumbs account={account} />
        <AccountHead account={account} onOpen={open} />
        <Box mb={note === undefined ? 0 : 'md'}>
          <SavedNote>{note}</SavedNote>
        </Box>
        <ArchivedNote account={account} />
        <AncestorNotes account={account} />
        <AccountTabs account={account} />
        {dialog === 'edit' && <EditDialog account={account} onClose={close} onSaved={showOutcome} />}
        {dialog === 'archive' && <ArchiveDialog account={account} onClose={close} onSaved={showOutcome} />}
      </>
    );
  }
  return (
    <>
      <PageHead title={id} />
      {isError ? <ErrorState error={error} retry={() => refetch()} /> : <SkeletonLines lines={9} />}
    </>
  );
}
