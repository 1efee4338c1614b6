import { type ReactNode, useState } from 'react';

/** The open dialog of a page, and the confirmation that the page shows after it. The next dialog removes the note. */
export function useDialog<Dialog>() {
  const [dialog, setDialog] = useState<Dialog>();
  const [note, setNote] = useState<ReactNode>();
  const open = (next: Dialog) => {
    setNote(undefined);
    setDialog(next);
  };
  const close = () => setDialog(undefined);
  const done = (text: ReactNode) => {
    close();
    setNote(text);
  };
  return { dialog, note, setNote, open, close, done };
}
