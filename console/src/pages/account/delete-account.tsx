import type { Account } from '@account-sync/client';
import { Button, Code, Group, List, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { useDeleteAccount } from '../../api/account';
import { ErrorState } from '../../components/error-state';
import { showNotice } from '../../components/notice';
import { IconTrash } from '../../icons/icons.js';

export function DeleteAccount({ account }: { account: Account }) {
  const [isOpen, dialog] = useDisclosure();
  return (
    <>
      <Button
        variant="default"
        c="var(--mantine-color-error)"
        leftSection={<IconTrash size={16} aria-hidden />}
        onClick={dialog.open}
      >
        Delete
      </Button>
      <Modal opened={isOpen} onClose={dialog.close} title="Delete this account?" size="lg">
        <Confirmation account={account} onCancel={dialog.close} />
      </Modal>
    </>
  );
}

function Confirmation({ account, onCancel }: { account: Account; onCancel: () => void }) {
  const { account_id: id, name } = account;
  const [, navigate] = useLocation();
  const [typed, setTyped] = useState('');
  const deletion = useDeleteAccount(id, () => {
    navigate('/accounts');
    showNotice(`${name ?? id} was deleted.`);
  });
  const isMatch = typed.trim() === id;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isMatch) deletion.mutate();
  };
  return (
    <Stack component="form" onSubmit={submit}>
      <List size="sm" spacing={4} className="breakable">
        <List.Item>{name ?? id} and all values in its history are deleted permanently.</List.Item>
        <List.Item>The history keeps the time and the key of each change, without values.</List.Item>
        <List.Item>Child accounts stay. Their parent is then missing.</List.Item>
        <List.Item>If a system sends this id again, a new account is created.</List.Item>
      </List>
      <TextInput
        label="Type the id to confirm"
        description={
          <Text span inherit className="breakable">
            <Code>{id}</Code>
          </Text>
        }
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
      />
      {deletion.isError && <ErrorState error={deletion.error} />}
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" color="red.9" disabled={!isMatch} loading={deletion.isPending}>
          Delete permanently
        </Button>
      </Group>
    </Stack>
  );
}
