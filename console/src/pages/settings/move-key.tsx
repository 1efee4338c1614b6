import { Button, Group, Stack, Text } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { type Key, useMoveKey } from '../../api/keys';
import { useSourceLabel } from '../../api/sources';
import { ErrorState } from '../../components/error-state';
import { SourceSelect } from '../../components/source-select';
import { nameOf } from './key-parts';

interface MoveKeyProps {
  readonly of: Key;
  readonly onMoved: (note: ReactNode) => void;
  readonly onCancel: () => void;
}

/** Gives a key another source. */
export function MoveKey({ of: key, onMoved, onCancel }: MoveKeyProps) {
  const [source, setSource] = useState(key.source);
  const move = useMoveKey();
  const labelOf = useSourceLabel();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    move.mutate(
      { id: key.id, source },
      {
        onSuccess: () => onMoved(`${nameOf(key)} (${key.id}) now belongs to the source ${labelOf(source)}.`),
      },
    );
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">
          The next requests with this key belong to runs of the new source. Earlier runs keep their source.
        </Text>
        <SourceSelect value={source} onSource={(next = source) => setSource(next)} data-autofocus />
        {move.error && <ErrorState error={move.error} />}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={move.isPending} disabled={source === key.source}>
            Move key
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
