import { useEffect } from 'react';

export const MAIN_ID = 'main';

/** Whether one came by a link of the console, and not by the browser's buttons, which find the place that was left. */
let isOpened = false;
// Before the router, which tells of new entries by an event of its own, draws the page.
addEventListener('pushState', () => (isOpened = true), { capture: true });
addEventListener('popstate', () => (isOpened = false), { capture: true });

/** A page that is opened begins at its top, for the keyboard, too. */
export function useTopOfPage(path: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: each page that is opened
  useEffect(() => {
    if (!isOpened) return;
    scrollTo({ top: 0 });
    document.getElementById(MAIN_ID)?.focus({ preventScroll: true });
  }, [path]);
}
