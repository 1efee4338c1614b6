import { Button, CopyButton, Group, Paper, Stack, Text } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { IssuedKey } from '../../api/keys';
import { formatLocalShort } from '../../parts/format';
import { Caution } from './caution';
import { nameOf, ScopeBadges } from './key-parts';
import { useLeaveGuard } from './use-leave-guard';

interface IssuedKeyViewProps {
  readonly issued: IssuedKey;
  readonly onStored: (note: ReactNode) => void;
}

/** The only time a key is seen: it goes when whoever made it says so, and not before. */
export function IssuedKeyView({ issued, onStored }: IssuedKeyViewProps) {
  const { key, id, expires_at, replaced } = issued;
  const [hasTriedToLeave, setTriedToLeave] = useState(false);
  const copyButton = useRef<HTMLButtonElement>(null);
  useLeaveGuard(() => setTriedToLeave(true));
  useEffect(() => copyButton.current?.focus(), []);
  const stored = () =>
    onStored(
      replaced
        ? `${nameOf(issued)} is rotated: ${id} follows ${replaced.id}.`
        : `${nameOf(issued)} (${id}) is ready.`,
    );
  return (
    <Stack>
      <Caution title="It is shown only now">
        Keep it where secrets are kept. The service stores no more of it than it needs to recognise it.
      </Caution>
      <Paper p="sm" bg="var(--mantine-color-default)">
        <Text ff="monospace" className="breakable">
          {key}
        </Text>
      </Paper>
      <CopyButton value={key} timeout={3000}>
        {({ copied, copy }) => (
          <Button
            ref={copyButton}
            variant="default"
            leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
            onClick={copy}
          >
            {copied ? 'Copied' : 'Copy the key'}
          </Button>
        )}
      </CopyButton>
      <Group gap="xs">
        <ScopeBadges of={issued} />
        <Text size="sm" c="dimmed">
          Id {id}. {expires_at === null ? 'Never ends.' : `Ends ${formatLocalShort(expires_at)}.`}
        </Text>
      </Group>
      {replaced && (
        <Text size="sm">
          The old key, {replaced.id}, works until {formatLocalShort(replaced.expires_at)}.
        </Text>
      )}
      {hasTriedToLeave && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          Still open, so that the key is not lost. Store it first.
        </Text>
      )}
      <Button onClick={stored}>I have stored it</Button>
    </Stack>
  );
}
