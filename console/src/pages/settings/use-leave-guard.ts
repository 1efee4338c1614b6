import { useEffect, useEffectEvent } from 'react';

/** Keeps what is shown from being left by Escape, by the way back, or, without a question, by closing the page. */
export function useLeaveGuard(onAttempt: () => void): void {
  const attempted = useEffectEvent(onAttempt);
  useEffect(() => {
    // One more entry with the same address: the way back leads from it to where one is.
    const addEntry = () => history.pushState(history.state, '');
    const onBack = () => {
      addEntry();
      attempted();
    };
    const onUnload = (event: Event) => event.preventDefault();
    const onKey = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') attempted();
    };
    addEntry();
    addEventListener('popstate', onBack);
    addEventListener('beforeunload', onUnload);
    addEventListener('keydown', onKey);
    return () => {
      removeEventListener('popstate', onBack);
      removeEventListener('beforeunload', onUnload);
      removeEventListener('keydown', onKey);
      history.back();
    };
  }, []);
}
