import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { IssuedKey } from '../../api/keys';
import { formatLocalShort } from '../../components/format';
import { ShownOnce } from '../../components/shown-once';
import { nameOf, ScopeBadges } from './key-parts';

interface IssuedKeyViewProps {
  readonly issued: IssuedKey;
  readonly onStored: (note: ReactNode) => void;
}

/** Shows a new key once. */
export function IssuedKeyView({ issued, onStored }: IssuedKeyViewProps) {
  const { key, id, source, expires_at, replaced } = issued;
  const stored = () =>
    onStored(
      replaced
        ? `${nameOf(issued)} was rotated: key ${id} replaces key ${replaced.id}.`
        : `Key ${nameOf(issued)} (${id}) was created.`,
    );
  return (
    <ShownOnce
      what="key"
      value={key}
      advice="Copy it now and store it in a safe place, such as a password manager. The service stores only a hash of it."
      onStored={stored}
    >
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
    </ShownOnce>
  );
}
