import { Anchor, Skeleton } from '@mantine/core';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { useChildren } from '../../api/account';
import { ErrorState } from '../../parts/error-state';
import styles from './account.module.css';
import { focusParent, moveFocus, useTreeItem } from './tree-focus';
import { TreeItem } from './tree-item';

interface TreeBranchProps {
  /** From the account at the top of the tree down to the one whose children these are. */
  readonly path: readonly string[];
}

/** Those directly below an account, a page at a time. */
export function TreeBranch({ path }: TreeBranchProps) {
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useChildren(
    path.at(-1) ?? '',
  );
  const pages = data?.pages ?? [];
  const before = useRef<HTMLElement | null>(null);
  // Where more was asked for, the first that is new takes the focus of the line that asked.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each page that arrives
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
