import { PageHead } from '../../parts/page-head';

export default function Attributes() {
  return <PageHead title="Attributes" />;
}
