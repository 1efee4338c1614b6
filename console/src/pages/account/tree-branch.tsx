import { ActionIcon, Anchor, Group, Skeleton, Text } from '@mantine/core';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { type Child, useChildren } from '../../api/account';
import { AccountLink } from '../../components/account-link';
import { ErrorState } from '../../components/error-state';
import { IconChevronDown, IconChevronRight, IconRefreshAlert } from '../../icons/icons.js';
import styles from './account.module.css';
import { focusFirstChild, focusParent, moveFocus, useTreeItem } from './tree-focus';

interface TreeBranchProps {
  /** Ids from the root of the tree to the account whose children these are. */
  readonly path: readonly string[];
}

/** The children of an account, loaded page by page. */
export function TreeBranch({ path }: TreeBranchProps) {
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useChildren(
    path.at(-1) ?? '',
  );
  const pages = data?.pages ?? [];
  const before = useRef<HTMLElement | null>(null);
  // After “Show more”, the first new item receives the focus.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once per loaded page
  useEffect(() => {
    (before.current?.nextElementSibling as HTMLElement | null)?.focus();
    before.current = null;
  }, [pages.length]);
  const more = (line: HTMLElement) => {
    before.current = line.previousElementSibling as HTMLElement | null;
    fetchNextPage();
  };
  return (
    <>
      {isPending && (
        <div role="none" aria-busy className={styles.row}>
          <Skeleton height={16} width={220} mt={6} />
        </div>
      )}
      {pages.flatMap((page) =>
        page.data.map((child) => <TreeItem key={child.account_id} child={child} path={path} />),
      )}
      {error !== null && (
        <div role="none">
          <ErrorState error={error} retry={() => refetch()} />
        </div>
      )}
      {hasNextPage && <More path={path} isLoading={isFetchingNextPage} onMore={more} />}
    </>
  );
}

interface MoreProps {
  readonly path: readonly string[];
  readonly isLoading: boolean;
  readonly onMore: (line: HTMLElement) => void;
}

function More({ path, isLoading, onMore }: MoreProps) {
  const { tabIndex, onFocus } = useTreeItem([...path, '']);
  const press = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'ArrowLeft') focusParent(event.currentTarget);
    else if (event.key === 'Enter' || event.key === ' ') onMore(event.currentTarget);
    else if (!moveFocus(event)) return;
    event.preventDefault();
  };
  return (
    <div
      role="treeitem"
      tabIndex={tabIndex}
      onFocus={onFocus}
      className={styles.row}
      aria-selected={false}
      aria-level={path.length}
      onKeyDown={press}
    >
      <Anchor
        component="button"
        type="button"
        size="sm"
        ml={34}
        tabIndex={-1}
        aria-disabled={isLoading}
        onClick={(event) => onMore(event.currentTarget.closest('[role=treeitem]') as HTMLElement)}
      >
        {isLoading ? 'Loading more' : 'Show more'}
      </Anchor>
    </div>
  );
}

interface TreeItemProps {
  readonly child: Child;
  readonly path: readonly string[];
}

/** An account in the tree. Its children are loaded when it is opened. */
function TreeItem({ child, path }: TreeItemProps) {
  const label = useId();
  const [isOpen, setOpen] = useState(false);
  const id = child.account_id;
  const ownPath = [...path, id];
  const { tabIndex, onFocus } = useTreeItem(ownPath);
  const isCycle = path.includes(id);
  const canOpen = child.has_children && !isCycle;
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
          aria-label={isOpen ? 'Collapse' : 'Expand'}
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
          {isCycle && <CycleMark />}
        </Group>
      </div>
      {isOpen && canOpen && (
        // biome-ignore lint/a11y/useSemanticElements: this is a group of a tree, not of a form
        <div role="group" className={styles.group}>
          <TreeBranch path={ownPath} />
        </div>
      )}
    </>
  );
}

function CycleMark() {
  return (
    <Text span size="xs" fw={600}>
      <IconRefreshAlert size={14} aria-hidden style={{ marginInlineEnd: 4, verticalAlign: 'text-bottom' }} />
      Cycle: leads back to this account
    </Text>
  );
}
