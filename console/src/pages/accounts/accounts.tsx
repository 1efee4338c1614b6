import './accounts.css';
import { useAttributes } from '../../api/attributes';
import { LinesLoading } from '../../parts/lines-loading';
import { PageHead } from '../../parts/page-head';
import { QueryView } from '../../parts/query-view';
import { AccountsView } from './accounts-view';

/** All accounts of the tenant, to find one of them or to take a list of them along. */
export default function Accounts() {
  const attributes = useAttributes();
  return (
    <>
      <PageHead title="Accounts" />
      <QueryView query={attributes} loading={<LinesLoading lines={13} height={34} />}>
        {(data) => <AccountsView attributes={data} />}
      </QueryView>
    </>
  );
}
