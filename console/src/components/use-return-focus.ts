import { useEffect, useState } from 'react';

/** When the component is removed, the focus returns to where it was before. */
export function useReturnFocus(): void {
  const [before] = useState(() => document.activeElement);
  useEffect(() => () => (before as HTMLElement | null)?.focus({ preventScroll: true }), [before]);
}
