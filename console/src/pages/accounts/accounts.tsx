import './accounts.css';
import { useAttributes } from '../../api/attributes';
import { PageHead } from '../../components/page-head';
import { QueryView } from '../../components/query-view';
import { SkeletonLines } from '../../components/skeleton-lines';
import { AccountsView } from './accounts-view';

/** List of all accounts, with search, filters and CSV export. */
export default function Accounts() {
  const attributes = useAttributes();
  return (
    <>
      <PageHead title="Accounts" />
      <QueryView query={attributes} loading={<SkeletonLines lines={13} height={34} />}>
        {(data) => <AccountsView attributes={data} />}
      </QueryView>
    </>
  );
}
