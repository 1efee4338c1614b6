import type { Attribute } from '@account-sync/client';
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useRemoveDeclaration } from '../../api/attributes';
import { ErrorState } from '../../components/error-state';
import { plural } from '../../components/format';

interface RemoveDeclarationDialogProps {
  readonly attribute: Attribute;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

export function RemoveDeclarationDialog({ attribute, onClose, onDone }: RemoveDeclarationDialogProps) {
  const { name, accounts, index, owner } = attribute;
  const removal = useRemoveDeclaration(name);
  return (
    <Modal opened onClose={onClose} title="Remove this declaration?">
      <Stack gap="sm">
        <Text size="sm" className="breakable">
          <b>{name}</b> will no longer have a type. New values will not be checked, and accounts cannot be
          filtered by it. {index !== 'none' && 'Its index is removed.'}{' '}
          {owner !== null && 'Every source can change its values.'}
        </Text>
        <Text size="sm">
          {accounts === 0
            ? 'No account has a value.'
            : `${plural(accounts, 'account')} ${accounts === 1 ? 'keeps its value' : 'keep their values'}.`}{' '}
          You can declare it again at any time.
        </Text>
        {removal.error !== null && <ErrorState error={removal.error} />}
        <Group gap="sm" justify="flex-end" mt="xs">
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button
            color="red.9"
            loading={removal.isPending}
            onClick={() => removal.mutate(undefined, { onSuccess: onDone })}
          >
            Remove declaration
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
