import type { HistoryEntry } from '@account-sync/client';
import { Anchor, Badge, Group, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { plural } from '../../components/format';
import { SenderName } from '../../components/sender-name';
import { SourceAndRun } from '../../components/source-and-run';
import { Timestamp } from '../../components/timestamp';
import { IconArchive, IconArchiveOff, IconPencil, IconPlus, IconTrash } from '../../icons/icons.js';
import { FieldChangeLine } from './field-change-line';

const KINDS = {
  created: { label: 'Created', icon: <IconPlus size={14} aria-hidden /> },
  updated: { label: 'Updated', icon: <IconPencil size={14} aria-hidden /> },
  archived: { label: 'Archived', icon: <IconArchive size={14} aria-hidden /> },
  restored: { label: 'Restored', icon: <IconArchiveOff size={14} aria-hidden /> },
  deleted: { label: 'Deleted', icon: <IconTrash size={14} aria-hidden /> },
};
const SHOWN = 5;

export const iconOf = (kind: HistoryEntry['kind']) => KINDS[kind].icon;

interface HistoryEntryProps {
  readonly entry: HistoryEntry;
  /** The field that the history is filtered by. Other fields stay collapsed. */
  readonly field?: string | undefined;
  /** What can be done about it. */
  readonly actions?: ReactNode;
}

/** One change: its time, key and request, and the old and new values. */
export function HistoryEntryView({ entry, field, actions }: HistoryEntryProps) {
  const [isOpen, setOpen] = useState(false);
  const own = entry.changes.filter((change) => change.field === field);
  const shown = isOpen ? entry.changes : own.length > 0 ? own : entry.changes.slice(0, SHOWN);
  const others = entry.changes.length - shown.length;
  return (
    <>
      <Group gap="0 10px">
        <Text fw={600} size="sm">
          {KINDS[entry.kind].label}
        </Text>
        <Text size="sm" c="dimmed">
          <Timestamp at={entry.at} />
        </Text>
        {entry.is_erased && (
          <Badge variant="default" size="sm">
            Values deleted
          </Badge>
        )}
        {actions}
      </Group>
      <Origin entry={entry} />
      <dl style={{ margin: '6px 0 0' }}>
        {shown.map((change) => (
          <FieldChangeLine key={change.field} change={change} isFirst={entry.kind === 'created'} />
        ))}
      </dl>
      {(others > 0 || isOpen) && (
        <Anchor
          component="button"
          type="button"
          size="sm"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? 'Show less' : `Show ${plural(others, 'other field')}`}
        </Anchor>
      )}
    </>
  );
}

function Origin({ entry }: { entry: HistoryEntry }) {
  return (
    <Text size="xs" c="dimmed" className="breakable">
      Revision {entry.revision}
      {(entry.source !== null || entry.run_id !== null) && ' · '}
      <SourceAndRun source={entry.source} runId={entry.run_id} /> · <SenderName of={entry} /> · request{' '}
      {entry.request_id}
    </Text>
  );
}
