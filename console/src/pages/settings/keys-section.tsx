import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { type Key, useKeys } from '../../api/keys';
import { plural } from '../../parts/format';
import { LinesLoading } from '../../parts/lines-loading';
import { QueryView } from '../../parts/query-view';
import { SavedNote } from '../../parts/saved-note';
import { useAddressParameters } from '../../parts/use-address';
import { FoldButton } from './fold-button';
import { type Dialog, KeyDialog } from './key-dialog';
import { KeyList } from './key-list';

export function KeysSection() {
  const query = useKeys();
  const [dialog, setDialog] = useState<Dialog>();
  const [note, setNote] = useState<ReactNode>();
  const open = (next: Dialog) => {
    setNote(undefined);
    setDialog(next);
  };
  return (
    <Stack gap="lg">
      <Paper p="lg" component="section" aria-label="Live keys">
        <Group justify="space-between" align="flex-start" mb="md">
          <div>
            <Title order={2} size="h4">
              Live keys
            </Title>
            <Text c="dimmed" size="sm">
              Give each system a key of its own, with no more scopes than it needs.
            </Text>
          </div>
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => open({ kind: 'create' })}>
            New key
          </Button>
        </Group>
        <SavedNote>{note}</SavedNote>
        <QueryView query={query} loading={<LinesLoading lines={3} height={56} />}>
          {(keys) => (
            <KeyList
              label="Live keys"
              keys={keys.filter(({ state }) => state === 'live').toReversed()}
              onRotate={(key) => open({ kind: 'rotate', key })}
              onRevoke={(key) => open({ kind: 'revoke', key })}
            />
          )}
        </QueryView>
      </Paper>
      <EndedKeys keys={(query.data ?? []).filter(({ state }) => state !== 'live').toReversed()} />
      <KeyDialog dialog={dialog} onDialog={setDialog} onNote={setNote} />
    </Stack>
  );
}

/** Folded: they only matter to whoever looks for one. */
function EndedKeys({ keys }: { keys: readonly Key[] }) {
  const [parameters, change] = useAddressParameters();
  const isOpen = parameters.has('ended');
  if (keys.length === 0) return null;
  return (
    <Paper p="lg" component="section" aria-label="Ended keys">
      <Title order={2} size="h4">
        Ended keys
      </Title>
      <Text c="dimmed" size="sm">
        Revoked or expired. They let nobody in any more, and still name who changed what.
      </Text>
      <FoldButton
        isOpen={isOpen}
        onToggle={() => change({ ended: isOpen ? undefined : '1' })}
        what={plural(keys.length, 'key')}
      />
      {isOpen && <KeyList label="Ended keys" keys={keys} />}
    </Paper>
  );
}
