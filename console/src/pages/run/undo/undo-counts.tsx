import type { UndoSummary } from '@account-sync/client';
import { Counts } from '../../../components/counts';

const COUNTS = [
  { name: 'updated', label: 'Updated' },
  { name: 'archived', label: 'Archived' },
  { name: 'restored', label: 'Restored' },
  { name: 'conflicts', label: 'Conflicts' },
] as const;

export function UndoCounts({ summary }: { summary: UndoSummary }) {
  return <Counts counts={COUNTS.map(({ name, label }) => ({ label, value: summary[name] }))} />;
}
