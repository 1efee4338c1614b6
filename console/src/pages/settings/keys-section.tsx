import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { type Key, useKeys } from '../../api/keys';
import { ExpandButton } from '../../components/expand-button';
import { plural } from '../../components/format';
import { QueryView } from '../../components/query-view';
import { SavedNote } from '../../components/saved-note';
import { SkeletonLines } from '../../components/skeleton-lines';
import { useDialog } from '../../components/use-dialog';
import { useQueryParameters } from '../../components/use-url';
import { IconPlus } from '../../icons/icons.js';
import { type Dialog, KeyDialog } from './key-dialog';
import { KeyList } from './key-list';

export function KeysSection() {
  const query = useKeys();
  const { dialog, note, open, close, done } = useDialog<Dialog>();
  return (
    <Stack gap="lg">
      <Paper p="lg" component="section" aria-label="Live keys">
        <Group justify="space-between" align="flex-start" mb="md">
          <div>
            <Title order={2} size="h4">
              Live keys
            </Title>
            <Text c="dimmed" size="sm">
              Create a separate key for each system, with only the scopes that it needs.
            </Text>
          </div>
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => open({ kind: 'create' })}>
            New key
          </Button>
        </Group>
        <SavedNote>{note}</SavedNote>
        <QueryView query={query} loading={<SkeletonLines lines={3} height={56} />}>
          {(keys) => (
            <KeyList
              label="Live keys"
              keys={keys.filter(({ state }) => state === 'live').toReversed()}
              onMove={(key) => open({ kind: 'move', key })}
              onRotate={(key) => open({ kind: 'rotate', key })}
              onRevoke={(key) => open({ kind: 'revoke', key })}
            />
          )}
        </QueryView>
      </Paper>
      <EndedKeys keys={(query.data ?? []).filter(({ state }) => state !== 'live').toReversed()} />
      <KeyDialog dialog={dialog} onDialog={open} onClose={close} onDone={done} />
    </Stack>
  );
}

/** Collapsed by default: ended keys are needed only for reference. */
function EndedKeys({ keys }: { keys: readonly Key[] }) {
  const [parameters, change] = useQueryParameters();
  const isOpen = parameters.has('ended');
  if (keys.length === 0) return null;
  return (
    <Paper p="lg" component="section" aria-label="Ended keys">
      <Title order={2} size="h4">
        Ended keys
      </Title>
      <Text c="dimmed" size="sm">
        Revoked and expired keys. They no longer work, but the audit log and the history still refer to them.
      </Text>
      <ExpandButton
        isOpen={isOpen}
        onToggle={() => change({ ended: isOpen ? undefined : '1' })}
        what={plural(keys.length, 'key')}
      />
      {isOpen && <KeyList label="Ended keys" keys={keys} />}
    </Paper>
  );
}
