import { createContext, type KeyboardEvent, useContext } from 'react';

interface Focus {
  /** Key of the item that the tab key stops at. */
  readonly current: string;
  readonly setCurrent: (key: string) => void;
}

const FocusContext = createContext<Focus>({ current: '', setCurrent: () => undefined });

export const TreeFocus = FocusContext.Provider;

/** Roving tabindex: the tab key stops at one item of the tree, and the arrow keys move to the others. */
export function useTreeItem(path: readonly string[]) {
  const { current, setCurrent } = useContext(FocusContext);
  const key = itemKey(path);
  return { tabIndex: current === key ? 0 : -1, onFocus: () => setCurrent(key) };
}

export function itemKey(path: readonly string[]): string {
  return JSON.stringify(path);
}

/** Moves the focus for arrow, Home and End keys. Returns whether the key was one of them. */
export function moveFocus(event: KeyboardEvent<HTMLElement>): boolean {
  const { items, index } = visibleItems(event.currentTarget);
  const targets: Record<string, number> = {
    ArrowDown: index + 1,
    ArrowUp: index - 1,
    Home: 0,
    End: items.length - 1,
  };
  const next = targets[event.key];
  if (next === undefined) return false;
  items[next]?.focus();
  return true;
}

export function focusParent(item: HTMLElement): void {
  const { items, index } = visibleItems(item);
  items
    .slice(0, index)
    .findLast((other) => levelOf(other) < levelOf(item))
    ?.focus();
}

export function focusFirstChild(item: HTMLElement): void {
  const { items, index } = visibleItems(item);
  const next = items[index + 1];
  if (next !== undefined && levelOf(next) > levelOf(item)) next.focus();
}

/** All visible items from top to bottom, and the index of one of them. */
function visibleItems(item: HTMLElement): { items: HTMLElement[]; index: number } {
  const tree = item.closest('[role=tree]');
  const items = [...(tree?.querySelectorAll<HTMLElement>('[role=treeitem]') ?? [])];
  return { items, index: items.indexOf(item) };
}

function levelOf(item: HTMLElement): number {
  return Number(item.getAttribute('aria-level'));
}
