import { useEffect } from 'react';

export const MAIN_ID = 'main';

/** Whether the last navigation was a link, and not the back or forward button, which restore the scroll position. */
let isLinkNavigation = false;
// The router dispatches these events. The capture phase runs before the router renders the page.
addEventListener('pushState', () => (isLinkNavigation = true), { capture: true });
addEventListener('popstate', () => (isLinkNavigation = false), { capture: true });

/** Scrolls a newly opened page to its top and moves the keyboard focus there. */
export function useScrollToTop(path: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once per opened page
  useEffect(() => {
    if (!isLinkNavigation) return;
    scrollTo({ top: 0 });
    document.getElementById(MAIN_ID)?.focus({ preventScroll: true });
  }, [path]);
}
