import { type RefObject, useEffect } from 'react';

const STEPS: Readonly<Record<string, number>> = { j: 1, k: -1, ArrowDown: 1, ArrowUp: -1 };

/**
 * `/` focuses the search field. `j` and `k` move between rows. So do the arrow keys, if a row or the search field has
 * the focus. The links of the rows receive the focus, so that Enter opens them. `x` selects the row that has the focus,
 * and `a` moves to the actions for selected accounts.
 */
export function useRowKeys(rows: RefObject<HTMLElement | null>, search: RefObject<HTMLInputElement | null>) {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { key, target } = event;
      if (event.ctrlKey || event.metaKey || event.altKey || !(target instanceof HTMLElement)) return;
      const isInSearch = target === search.current;
      if (key === '/' && !isTyping(target)) {
        event.preventDefault();
        search.current?.select();
        search.current?.focus();
        return;
      }
      if (key === 'x' && !isTyping(target)) checkboxOf(target)?.click();
      if (key === 'a' && !isTyping(target)) {
        document.querySelector<HTMLElement>('[data-selection-actions] button')?.focus();
      }
      const step = STEPS[key];
      const isArrow = key.startsWith('Arrow');
      const isAllowed = isArrow ? target.closest('[data-row]') !== null : !isTyping(target);
      if (step === undefined || !(isAllowed || (isInSearch && key === 'ArrowDown'))) return;
      event.preventDefault();
      move(rows.current, step);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [rows, search]);
}

/** Whether the target is an input of text, or inside a dialog or a menu. */
function isTyping(target: HTMLElement): boolean {
  return (
    target.closest('input:not([type=checkbox]), textarea, select, [role="dialog"], [role="menu"]') !== null
  );
}

function move(rows: HTMLElement | null, step: number): void {
  const links = [...(rows?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];
  const row = rowOf(document.activeElement);
  const current = links.findIndex((link) => row !== null && rowOf(link) === row);
  const next = links[current === -1 ? 0 : Math.min(Math.max(current + step, 0), links.length - 1)];
  next?.focus();
}

/** A row of the table, or a card. */
function rowOf(element: Element | null): Element | null {
  return element?.closest('tbody tr, .account-card') ?? null;
}

function checkboxOf(target: HTMLElement): HTMLElement | null {
  return rowOf(target)?.querySelector<HTMLElement>('input[type=checkbox]') ?? null;
}
