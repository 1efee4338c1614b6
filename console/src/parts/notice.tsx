import { Affix, Notification } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useEffect, useSyncExternalStore } from 'react';

const SHOWN_MS = 10_000;

let notice: string | undefined;
const watchers = new Set<() => void>();

/** Says that something was done, also on the page to which one is led afterwards. */
export function announce(text: string | undefined): void {
  notice = text;
  for (const changed of watchers) changed();
}

/** Where it is said; always there, so that it is read out, too. */
export function NoticePlace() {
  const text = useSyncExternalStore(watch, () => notice);
  useEffect(() => {
    if (text === undefined) return;
    const timer = setTimeout(() => announce(undefined), SHOWN_MS);
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
            onClose={() => announce(undefined)}
          >
            {text}
          </Notification>
        )}
      </div>
    </Affix>
  );
}

function watch(changed: () => void): () => void {
  watchers.add(changed);
  return () => watchers.delete(changed);
}
