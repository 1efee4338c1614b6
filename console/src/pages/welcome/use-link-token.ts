import { useEffect, useState } from 'react';

/** The token in the fragment of the address; empty without one. `remove` takes it out of the address and the history. */
export function useLinkToken(): { token: string; remove: () => void } {
  const [token, setToken] = useState(tokenOfAddress);
  useEffect(() => {
    // Another link in the same tab changes the fragment only, and does not load the page again.
    const onChange = () => setToken((current) => tokenOfAddress() || current);
    addEventListener('hashchange', onChange);
    return () => removeEventListener('hashchange', onChange);
  }, []);
  return { token, remove: () => history.replaceState(history.state, '', location.pathname) };
}

function tokenOfAddress(): string {
  return location.hash.slice(1);
}
