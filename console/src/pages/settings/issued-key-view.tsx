import { Button, CopyButton, Group, Paper, Stack, Text } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { IssuedKey } from '../../api/keys';
import { Caution } from '../../components/caution';
import { formatLocalShort } from '../../components/format';
import { nameOf, ScopeBadges } from './key-parts';
import { useLeaveGuard } from './use-leave-guard';

interface IssuedKeyViewProps {
  readonly issued: IssuedKey;
  readonly onStored: (note: ReactNode) => void;
}

/** Shows a new key once. It closes only when the user confirms that the key is stored. */
export function IssuedKeyView({ issued, onStored }: IssuedKeyViewProps) {
  const { key, id, source, expires_at, replaced } = issued;
  const [hasTriedToLeave, setTriedToLeave] = useState(false);
  const copyButton = useRef<HTMLButtonElement>(null);
  useLeaveGuard(() => setTriedToLeave(true));
  useEffect(() => copyButton.current?.focus(), []);
  const stored = () =>
    onStored(
      replaced
        ? `${nameOf(issued)} was rotated: key ${id} replaces key ${replaced.id}.`
        : `Key ${nameOf(issued)} (${id}) was created.`,
    );
  return (
    <Stack>
      <Caution title="The key is shown only once">
        Copy it now and store it in a safe place, such as a password manager. The service stores only a hash
        of it.
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
          Id {id}, source {source}.{' '}
          {expires_at === null ? 'Never expires.' : `Expires ${formatLocalShort(expires_at)}.`}
        </Text>
      </Group>
      {replaced && (
        <Text size="sm">
          The old key, {replaced.id}, works until {formatLocalShort(replaced.expires_at)}.
        </Text>
      )}
      {hasTriedToLeave && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          This dialog stays open so that the key is not lost. Store the key first.
        </Text>
      )}
      <Button onClick={stored}>I have stored the key</Button>
    </Stack>
  );
}
