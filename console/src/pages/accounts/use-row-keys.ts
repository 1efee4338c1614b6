import { type RefObject, useEffect } from 'react';

const STEPS: Readonly<Record<string, number>> = { j: 1, k: -1, ArrowDown: 1, ArrowUp: -1 };

/**
 * `/` goes to the search; `j` and `k` move over the rows, the arrow keys too once one is there, or from the search.
 * Rows are entered by their links, so that Enter opens them as it does any link.
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
      const isFree = isArrow ? target.closest('[data-row]') !== null : !isTyping(target);
      if (step === undefined || !(isFree || (isInSearch && key === 'ArrowDown'))) return;
      event.preventDefault();
      move(rows.current, step);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [rows, search]);
}

/** Into a field, or in something that lies over the page. */
function isTyping(target: HTMLElement): boolean {
  return target.closest('input, textarea, select, [role="dialog"], [role="menu"]') !== null;
}

function move(rows: HTMLElement | null, step: number): void {
  const links = [...(rows?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];
  const here = links.indexOf(document.activeElement as HTMLElement);
  const there = links[here === -1 ? 0 : Math.min(Math.max(here + step, 0), links.length - 1)];
  there?.focus();
}
