import { type RefObject, useEffect } from 'react';

const STEPS: Readonly<Record<string, number>> = { j: 1, k: -1, ArrowDown: 1, ArrowUp: -1 };

/**
 * `/` focuses the search field. `j` and `k` move between rows. So do the arrow keys, if a row or the search field has
 * the focus. The links of the rows receive the focus, so that Enter opens them.
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

/** Whether the target is an input, or inside a dialog or a menu. */
function isTyping(target: HTMLElement): boolean {
  return target.closest('input, textarea, select, [role="dialog"], [role="menu"]') !== null;
}

function move(rows: HTMLElement | null, step: number): void {
  const links = [...(rows?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];
  const current = links.indexOf(document.activeElement as HTMLElement);
  const next = links[current === -1 ? 0 : Math.min(Math.max(current + step, 0), links.length - 1)];
  next?.focus();
}
