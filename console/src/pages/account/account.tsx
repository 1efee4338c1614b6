import type { Account } from '@account-sync/client';
import { Box } from '@mantine/core';
import type { ReactNode } from 'react';
import { useAccount } from '../../api/account';
import { isNotFound } from '../../api/call';
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
  const isDeleted = isError && isNotFound(error);
  return (
    <>
      {isDeleted ? (
        <NoAccount id={id} />
      ) : account === undefined ? (
        <>
          <PageHead title={id} />
          {isError ? <ErrorState error={error} retry={() => refetch()} /> : <SkeletonLines lines={9} />}
        </>
      ) : (
        <AccountView account={account} note={note} onOpen={open} />
      )}
      {/* Stays when the account is deleted: it may have unsaved changes. */}
      {dialog === 'edit' && account !== undefined && (
        <EditDialog account={account} isDeleted={isDeleted} onClose={close} onSaved={showOutcome} />
      )}
      {dialog === 'archive' && account !== undefined && (
        <ArchiveDialog account={account} onClose={close} onSaved={showOutcome} />
      )}
    </>
  );
}

interface AccountViewProps {
  readonly account: Account;
  readonly note: ReactNode;
  readonly onOpen: (dialog: AccountDialog) => void;
}

function AccountView({ account, note, onOpen }: AccountViewProps) {
  return (
    <>
      <AncestorBreadcrumbs account={account} />
      <AccountHead account={account} onOpen={onOpen} />
      <Box mb={note === undefined ? 0 : 'md'}>
        <SavedNote>{note}</SavedNote>
      </Box>
      <ArchivedNote account={account} />
      <AncestorNotes account={account} />
      <AccountTabs account={account} />
    </>
  );
}
