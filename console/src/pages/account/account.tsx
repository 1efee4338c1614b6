import { useAccount } from '../../api/account';
import { Problem } from '../../api/call';
import { ErrorState } from '../../parts/error-state';
import { LinesLoading } from '../../parts/lines-loading';
import { PageHead } from '../../parts/page-head';
import { useAddressPlace } from '../../parts/use-address';
import { AccountHead } from './account-head';
import { AccountTabs } from './account-tabs';
import { Lineage } from './lineage';
import { LineageNotes } from './lineage-notes';
import { NoAccount } from './no-account';

/** All that the systems say about one account. */
export default function AccountPage() {
  const id = useAddressPlace('accounts');
  return <OneAccount key={id} id={id} />;
}

function OneAccount({ id }: { id: string }) {
  const { data: account, error, isError, refetch } = useAccount(id);
  // Also where it was there a moment ago: somebody else may delete it.
  if (isError && error instanceof Problem && error.status === 404) return <NoAccount id={id} />;
  if (account !== undefined) {
    return (
      <>
        <Lineage account={account} />
        <AccountHead account={account} />
        <LineageNotes account={account} />
        <AccountTabs account={account} />
      </>
    );
  }
  return (
    <>
      <PageHead title={id} />
      {isError ? <ErrorState error={error} retry={() => refetch()} /> : <LinesLoading lines={9} />}
    </>
  );
}
