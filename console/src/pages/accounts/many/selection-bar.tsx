import { Button, Group, Paper, Text, VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import type { AccountFilter } from '../../../api/account-list';
import { useScopes } from '../../../api/session';
import { formatNumber, plural } from '../../../components/format';
import {
  IconArchive,
  IconArchiveOff,
  IconDownload,
  IconPencil,
  IconTrash,
  IconX,
} from '../../../icons/icons.js';
import { isFiltered } from '../listing';
import { ACTIONS, type Action } from './actions';
import { ChangeDialog } from './change-dialog';
import { countOf, isEmpty, type Selection } from './selection';
import type { SelectionState } from './use-selection';

interface SelectionBarProps {
  readonly state: SelectionState;
  readonly filter: AccountFilter;
  /** Number of accounts that match the filters; undefined until it is known. */
  readonly count: { readonly accounts: number; readonly is_exact: boolean } | undefined;
  readonly isExporting: boolean;
  readonly onExport: () => void;
}

interface Opened {
  readonly action: Action;
  readonly selection: Selection;
}

/** The number of selected accounts, and what can be done with them. */
export function SelectionBar(props: SelectionBarProps) {
  const { state, filter, isExporting, onExport } = props;
  const { selection, clear } = state;
  const [isOpen, setOpen] = useState(false);
  // Fixed while the dialog is open.
  const [opened, setOpened] = useState<Opened>();
  const [isDone, setDone] = useState(false);
  const open = (action: Action) => {
    setOpened({ action, selection });
    setDone(false);
    setOpen(true);
  };
  const leave = () => {
    clear();
    // The button that had the focus is gone.
    const checkbox = document.querySelector<HTMLElement>('.select-shown input');
    (checkbox ?? document.querySelector('main'))?.focus({ preventScroll: true });
  };
  return (
    <>
      <VisuallyHidden role="status">
        {isEmpty(selection) ? '' : `${countText(selection)} selected. ${narrowedText(selection)}`}
      </VisuallyHidden>
      {!isEmpty(selection) && (
        <Paper
          component="section"
          aria-label="Selected accounts"
          className="selection-bar"
          shadow="md"
          px="md"
          py="xs"
          mt="md"
        >
          <Group justify="space-between" gap="xs">
            <Group gap="xs">
              <Text size="sm" fw={600} className="numbers">
                {countText(selection)} selected
              </Text>
              <SelectMatching {...props} />
              <Text size="sm" c="dimmed">
                {narrowedText(selection)}
              </Text>
            </Group>
            <Group gap={6} data-selection-actions>
              <Actions filter={filter} onAction={open} />
              <Button
                variant="default"
                size="xs"
                leftSection={<IconDownload size={15} aria-hidden />}
                disabled={isExporting}
                onClick={onExport}
              >
                Export selected
              </Button>
              <Button
                variant="subtle"
                size="xs"
                leftSection={<IconX size={15} aria-hidden />}
                onClick={leave}
              >
                Clear selection
              </Button>
            </Group>
          </Group>
        </Paper>
      )}
      {opened && (
        <ChangeDialog
          {...opened}
          isOpen={isOpen}
          onDone={() => setDone(true)}
          onClose={() => setOpen(false)}
          onClosed={() => {
            setOpened(undefined);
            if (isDone) leave();
          }}
        />
      )}
    </>
  );
}

function countText(selection: Selection): string {
  const { accounts, isExact } = countOf(selection);
  return `${isExact ? '' : 'At least '}${plural(accounts, 'account')}`;
}

/** What has become of a selection of all that match. */
function narrowedText(selection: Selection): string {
  if ('matching' in selection || selection.all === undefined) return '';
  const { accounts, isExact } = selection.all;
  const number = `${isExact ? '' : 'at least '}${formatNumber(accounts)}`;
  return `No longer all ${number} that match: without one of them, only the others on the page stay selected.`;
}

/** Offered when all accounts on the page are selected, and more match. */
function SelectMatching({ state, filter, count }: SelectionBarProps) {
  const { selection, share, selectMatching } = state;
  if ('matching' in selection || share !== 'all' || count === undefined) return null;
  if (count.is_exact && count.accounts <= selection.ids.size) return null;
  const number = `${count.is_exact ? '' : 'at least '}${formatNumber(count.accounts)}`;
  return (
    <Button variant="subtle" size="compact-sm" onClick={() => selectMatching(count)}>
      Select all {number} accounts{isFiltered(filter) && ' that match'}
    </Button>
  );
}

const ICONS = { set: IconPencil, archive: IconArchive, restore: IconArchiveOff, delete: IconTrash };
const LABELS = { set: ACTIONS.set.title, archive: 'Archive', restore: 'Restore', delete: 'Delete' };

interface ActionsProps {
  readonly filter: AccountFilter;
  readonly onAction: (action: Action) => void;
}

/** What the session may do with accounts such as those that are listed. */
function Actions({ filter: { archived }, onAction }: ActionsProps) {
  const { maySync, mayAdmin } = useScopes();
  const actions: Action[] = [
    ...(maySync ? (['set'] as const) : []),
    ...(maySync && archived !== 'only' ? (['archive'] as const) : []),
    ...(maySync && archived !== '' ? (['restore'] as const) : []),
    ...(mayAdmin ? (['delete'] as const) : []),
  ];
  return actions.map((action) => {
    const Icon = ICONS[action];
    return (
      <Button
        key={action}
        variant="default"
        size="xs"
        {...(action === 'delete' && { c: 'var(--mantine-color-error)' })}
        leftSection={<Icon size={15} aria-hidden />}
        onClick={() => onAction(action)}
      >
        {LABELS[action]}
      </Button>
    );
  });
}
