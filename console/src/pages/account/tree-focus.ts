import { createContext, type KeyboardEvent, useContext } from 'react';

interface Focus {
  /** The item at which the tab key stops. */
  readonly current: string;
  readonly setCurrent: (key: string) => void;
}

const FocusContext = createContext<Focus>({ current: '', setCurrent: () => undefined });

export const TreeFocus = FocusContext.Provider;

/** What every item of a tree has in common: one of them can be tabbed to, the arrow keys go to the others. */
export function useTreeItem(key: string) {
  const { current, setCurrent } = useContext(FocusContext);
  return {
    tabIndex: current === key ? 0 : -1,
    onFocus: (event: { stopPropagation(): void }) => {
      event.stopPropagation();
      setCurrent(key);
    },
  };
}

/** Goes to another item where the key says so. */
export function moveFocus(event: KeyboardEvent<HTMLElement>): boolean {
  const tree = event.currentTarget.closest('[role=tree]');
  const items = [...(tree?.querySelectorAll<HTMLElement>('[role=treeitem]') ?? [])];
  const place = items.indexOf(event.currentTarget);
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
  item.parentElement?.closest<HTMLElement>('[role=treeitem]')?.focus();
}

export function focusFirstChild(item: HTMLElement): void {
  item.querySelector<HTMLElement>('[role=treeitem]')?.focus();
}
