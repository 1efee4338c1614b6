import { PageHead } from '../../parts/page-head';

export default function Settings() {
  return <PageHead title="Settings" />;
}
