import { useEffect, useEffectEvent } from 'react';

/** Blocks Escape and the back button, and makes the browser ask before it closes the page. */
export function useLeaveGuard(onAttempt: () => void): void {
  const attempted = useEffectEvent(onAttempt);
  useEffect(() => {
    // An extra history entry with the same URL: the back button returns from it to the current page.
    const addEntry = () => history.pushState(history.state, '');
    const onBack = () => {
      addEntry();
      attempted();
    };
    const onUnload = (event: Event) => event.preventDefault();
    const onKey = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') attempted();
    };
    // When the entry is removed, the page stays where it has scrolled to.
    history.scrollRestoration = 'manual';
    addEntry();
    addEventListener('popstate', onBack);
    addEventListener('beforeunload', onUnload);
    addEventListener('keydown', onKey);
    return () => {
      removeEventListener('popstate', onBack);
      removeEventListener('beforeunload', onUnload);
      removeEventListener('keydown', onKey);
      removeEntry();
    };
  }, []);
}

/** Goes back from the extra entry, and keeps the address if it was changed meanwhile. */
function removeEntry(): void {
  const { href } = location;
  const { state } = history;
  // Before the router reads the former address.
  const options = { once: true, capture: true };
  addEventListener(
    'popstate',
    () => {
      history.scrollRestoration = 'auto';
      if (location.href !== href) history.replaceState(state, '', href);
    },
    options,
  );
  history.back();
}
