import { useAccount } from '../../api/account';
import { ApiError } from '../../api/call';
import { ErrorState } from '../../components/error-state';
import { PageHead } from '../../components/page-head';
import { SkeletonLines } from '../../components/skeleton-lines';
import { useRawPathSegment } from '../../components/use-url';
import { AccountHead } from './account-head';
import { AccountTabs } from './account-tabs';
import { AncestorBreadcrumbs } from './ancestor-breadcrumbs';
import { AncestorNotes } from './ancestor-notes';
import { ArchivedNote } from './archived-note';
import { NoAccount } from './no-account';

/** Page of one account. */
export default function AccountPage() {
  const id = useRawPathSegment('accounts');
  return <OneAccount key={id} id={id} />;
}

function OneAccount({ id }: { id: string }) {
  const { data: account, error, isError, refetch } = useAccount(id);
  // Checked before the loaded account: another user may delete it while this page is open.
  if (isError && error instanceof ApiError && error.status === 404) return <NoAccount id={id} />;
  if (account !== undefined) {
    return (
      <>
        <AncestorBreadcrumbs account={account} />
        <AccountHead account={account} />
        <ArchivedNote account={account} />
        <AncestorNotes account={account} />
        <AccountTabs account={account} />
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
