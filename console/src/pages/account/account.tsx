import { PageHead } from '../../parts/page-head';

export default function Account() {
  return <PageHead title="Account" />;
}
