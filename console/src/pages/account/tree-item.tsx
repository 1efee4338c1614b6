import { ActionIcon, Group, Text } from '@mantine/core';
import { IconChevronDown, IconChevronRight, IconRefreshAlert } from '@tabler/icons-react';
import { type KeyboardEvent, useId, useState } from 'react';
import type { Child } from '../../api/account';
import { AccountLink } from '../../parts/account-link';
import styles from './account.module.css';
import { TreeBranch } from './tree-branch';
import { focusFirstChild, focusParent, moveFocus, useTreeItem } from './tree-focus';

interface TreeItemProps {
  readonly child: Child;
  readonly path: readonly string[];
}

/** An account in the tree; what is below it is asked for when it is opened. */
export function TreeItem({ child, path }: TreeItemProps) {
  const label = useId();
  const [isOpen, setOpen] = useState(false);
  const id = child.account_id;
  const way = [...path, id];
  const { tabIndex, onFocus } = useTreeItem(way);
  const isCircle = path.includes(id);
  const canOpen = child.has_children && !isCircle;
  const press = (event: KeyboardEvent<HTMLElement>) => {
    const line = event.currentTarget;
    if (event.key === 'ArrowRight') {
      if (isOpen) focusFirstChild(line);
      else if (canOpen) setOpen(true);
    } else if (event.key === 'ArrowLeft') {
      if (isOpen) setOpen(false);
      else focusParent(line);
    } else if (event.key === ' ' && event.target === line) {
      if (canOpen) setOpen(!isOpen);
    } else if (event.key === 'Enter' && event.target === line) {
      line.querySelector('a')?.click();
    } else if (!moveFocus(event)) return;
    event.preventDefault();
  };
  return (
    <>
      <div
        role="treeitem"
        tabIndex={tabIndex}
        onFocus={onFocus}
        className={styles.row}
        aria-labelledby={label}
        aria-expanded={canOpen ? isOpen : undefined}
        aria-selected={false}
        aria-level={path.length}
        onKeyDown={press}
      >
        <ActionIcon
          variant="subtle"
          color="gray"
          tabIndex={-1}
          aria-label={isOpen ? 'Close' : 'Open'}
          style={{ visibility: canOpen ? undefined : 'hidden' }}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? <IconChevronDown size={16} /> : <IconChevronRight size={16} />}
        </ActionIcon>
        <Group id={label} gap="0 10px" fz="sm" mih={28} miw={0}>
          <AccountLink id={id} tabIndex={-1}>
            {child.name ?? id}
          </AccountLink>
          {child.name !== null && (
            <Text span size="xs" c="dimmed" ff="monospace" className="breakable">
              {id}
            </Text>
          )}
          {isCircle && <CircleMark />}
        </Group>
      </div>
      {isOpen && canOpen && (
        // biome-ignore lint/a11y/useSemanticElements: a group of a tree, not of a form
        <div role="group" className={styles.group}>
          <TreeBranch path={way} />
        </div>
      )}
    </>
  );
}

function CircleMark() {
  return (
    <Text span size="xs" fw={600}>
      <IconRefreshAlert size={14} aria-hidden style={{ marginInlineEnd: 4, verticalAlign: 'text-bottom' }} />A
      circle: leads back to this account
    </Text>
  );
}
