import { Affix, Notification } from '@mantine/core';
import { useEffect, useSyncExternalStore } from 'react';
import { IconCheck } from '../icons/icons.js';

const SHOWN_MS = 10_000;

let notice: string | undefined;
const listeners = new Set<() => void>();

/** Shows that an action has succeeded. The notice stays when the page changes. */
export function showNotice(text: string | undefined): void {
  notice = text;
  for (const listener of listeners) listener();
}

/** Always rendered: screen readers announce only changes inside an existing status element. */
export function NoticeArea() {
  const text = useSyncExternalStore(subscribe, () => notice);
  useEffect(() => {
    if (text === undefined) return;
    const timer = setTimeout(() => showNotice(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <Affix position={{ bottom: 20, right: 20 }} maw="calc(100vw - 40px)">
      <div role="status">
        {text !== undefined && (
          <Notification
            role="none"
            withBorder
            color="teal"
            icon={<IconCheck size={18} aria-hidden />}
            className="breakable"
            closeButtonProps={{ 'aria-label': 'Close' }}
            onClose={() => showNotice(undefined)}
          >
            {text}
          </Notification>
        )}
      </div>
    </Affix>
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
