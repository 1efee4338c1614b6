import { PageHead } from '../../parts/page-head';

export default function Overview() {
  return <PageHead title="Overview" />;
}
