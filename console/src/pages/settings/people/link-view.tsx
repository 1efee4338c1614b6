import { Text } from '@mantine/core';
import type { IssuedLink } from '../../../api/people';
import { formatLocalShort } from '../../../components/format';
import { ShownOnce } from '../../../components/shown-once';

interface LinkViewProps {
  readonly link: IssuedLink;
  /** Who gets it. */
  readonly to: string;
  /** What it does. */
  readonly purpose: string;
  readonly onStored: () => void;
}

/** Shows a new link once. */
export function LinkView({ link: { url, expires_at }, to, purpose, onStored }: LinkViewProps) {
  return (
    <ShownOnce
      what="link"
      value={url}
      advice={`Copy it now and send it to ${to} only. Anyone who has the link can use it.`}
      step={{ verb: 'Copy', past: 'copied' }}
      onStored={onStored}
    >
      <Text size="sm" c="dimmed" className="breakable">
        {purpose} It works once, until {formatLocalShort(expires_at)}.
      </Text>
    </ShownOnce>
  );
}
