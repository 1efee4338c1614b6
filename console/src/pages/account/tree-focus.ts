import { createContext, type KeyboardEvent, useContext } from 'react';

interface Focus {
  /** The item at which the tab key stops. */
  readonly current: string;
  readonly setCurrent: (key: string) => void;
}

const FocusContext = createContext<Focus>({ current: '', setCurrent: () => undefined });

export const TreeFocus = FocusContext.Provider;

/** One item of a tree can be tabbed to; the arrow keys go to the others. */
export function useTreeItem(path: readonly string[]) {
  const { current, setCurrent } = useContext(FocusContext);
  const key = itemKey(path);
  return { tabIndex: current === key ? 0 : -1, onFocus: () => setCurrent(key) };
}

export function itemKey(path: readonly string[]): string {
  return JSON.stringify(path);
}

/** Goes to another item where the key says so. */
export function moveFocus(event: KeyboardEvent<HTMLElement>): boolean {
  const { items, place } = around(event.currentTarget);
  const places: Record<string, number> = {
    ArrowDown: place + 1,
    ArrowUp: place - 1,
    Home: 0,
    End: items.length - 1,
  };
  const next = places[event.key];
  if (next === undefined) return false;
  items[next]?.focus();
  return true;
}

export function focusParent(item: HTMLElement): void {
  const { items, place } = around(item);
  items
    .slice(0, place)
    .findLast((other) => levelOf(other) < levelOf(item))
    ?.focus();
}

export function focusFirstChild(item: HTMLElement): void {
  const { items, place } = around(item);
  const next = items[place + 1];
  if (next !== undefined && levelOf(next) > levelOf(item)) next.focus();
}

/** All that are open to be seen, from top to bottom. */
function around(item: HTMLElement): { items: HTMLElement[]; place: number } {
  const tree = item.closest('[role=tree]');
  const items = [...(tree?.querySelectorAll<HTMLElement>('[role=treeitem]') ?? [])];
  return { items, place: items.indexOf(item) };
}

function levelOf(item: HTMLElement): number {
  return Number(item.getAttribute('aria-level'));
}
