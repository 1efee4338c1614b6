import { PageHead } from '../../parts/page-head';

export default function Accounts() {
  return <PageHead title="Accounts" />;
}
