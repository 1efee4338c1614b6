import { PageHead } from '../../parts/page-head';

export default function TryIt() {
  return <PageHead title="TryIt" />;
}
