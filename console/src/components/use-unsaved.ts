import { useRef, useState } from 'react';

/** Asks before a dialog with unsaved changes is closed. */
export function useUnsaved(isChanged: boolean, onClose: () => void) {
  const [isAsking, setAsking] = useState(false);
  const focused = useRef<Element | null>(null);
  const onLeave = () => {
    if (!isChanged) return onClose();
    if (!isAsking) focused.current = document.activeElement;
    setAsking(true);
  };
  const onStay = () => {
    setAsking(false);
    (focused.current as HTMLElement | null)?.focus();
  };
  return { isAsking, onLeave, onDiscard: onClose, onStay };
}
