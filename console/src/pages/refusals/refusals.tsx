import { PageHead } from '../../parts/page-head';

export default function Refusals() {
  return <PageHead title="Refusals" />;
}
