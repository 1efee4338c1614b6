import type { Attribute } from '@account-sync/client';
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useTakeBack } from '../../api/attributes';
import { ErrorState } from '../../parts/error-state';
import { plural } from '../../parts/format';

interface TakeBackDialogProps {
  readonly attribute: Attribute;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

export function TakeBackDialog({ attribute, onClose, onDone }: TakeBackDialogProps) {
  const { name, accounts, index } = attribute;
  const takingBack = useTakeBack(name);
  return (
    <Modal opened onClose={onClose} title="Take the declaration back?">
      <Stack gap="sm">
        <Text size="sm" className="breakable">
          <b>{name}</b> will have no type any more: its values are not checked, and accounts cannot be listed
          by it. {index !== 'none' && 'Its index is removed.'}
        </Text>
        <Text size="sm">
          {accounts === 0
            ? 'No account holds a value.'
            : `${plural(accounts, 'account')} ${accounts === 1 ? 'keeps its value' : 'keep their values'}.`}{' '}
          It can be declared again at any time.
        </Text>
        {takingBack.error !== null && <ErrorState error={takingBack.error} />}
        <Group gap="sm" justify="flex-end" mt="xs">
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button
            color="red.9"
            loading={takingBack.isPending}
            onClick={() => takingBack.mutate(undefined, { onSuccess: onDone })}
          >
            Take back
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
