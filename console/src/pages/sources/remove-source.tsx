import type { Source } from '@account-sync/client';
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useRemoveSource } from '../../api/sources';
import { ErrorState } from '../../components/error-state';

interface RemoveSourceProps {
  readonly source: Source;
  readonly onClose: () => void;
  /** Receives a confirmation. */
  readonly onDone: (note: string) => void;
}

export function RemoveSource({ source: { name, label }, onClose, onDone }: RemoveSourceProps) {
  const removal = useRemoveSource(name);
  return (
    <Modal opened onClose={onClose} title="Remove this source?">
      <Stack gap="sm">
        <Text size="sm" className="breakable">
          <b>{label}</b> is no longer listed or expected. Its runs and changes stay. A source can be removed
          only if all its keys are revoked or belong to another source, and it owns no attribute.
        </Text>
        {removal.error !== null && <ErrorState error={removal.error} />}
        <Group gap="sm" justify="flex-end" mt="xs">
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button
            color="red.9"
            loading={removal.isPending}
            onClick={() => removal.mutate(undefined, { onSuccess: () => onDone(`${label} was removed.`) })}
          >
            Remove source
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
