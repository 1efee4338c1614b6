import { Button, Group, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { fieldError, otherError } from '../../api/field-error';
import { useChangeProfile } from '../../api/profile';
import { ErrorState } from '../../components/error-state';
import { NewPasswordInput } from '../../components/new-password-input';
import { Panel } from '../../components/panel';
import { SavedNote } from '../../components/saved-note';
import { SecretInput } from '../../components/secret-input';
import { UserNameField } from '../../components/user-name-field';

export function PasswordForm({ email }: { email: string }) {
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const [note, setNote] = useState<string>();
  const change = useChangeProfile(() => {
    setNote('Your password was changed. You are signed out everywhere else.');
    setCurrent('');
    setNext('');
  });
  const other = otherError(change.error, ['password', 'current_password']);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setNote(undefined);
    change.mutate({ password: next, current_password: current });
  };
  return (
    <Panel title="Password">
      <Text size="sm" c="dimmed" mb="md">
        A new password signs you out in all other browsers.
      </Text>
      <form onSubmit={submit}>
        <Stack maw={420}>
          <UserNameField email={email} />
          <SecretInput
            what="current password"
            label="Current password"
            name="current-password"
            autoComplete="current-password"
            value={current}
            onChange={(event) => setCurrent(event.currentTarget.value)}
            error={
              fieldError(change.error, 'current_password') !== undefined &&
              'This is not your current password.'
            }
          />
          <NewPasswordInput
            label="New password"
            value={next}
            onValue={setNext}
            error={fieldError(change.error, 'password')}
          />
          {other && <ErrorState error={other} />}
          <Group>
            <Button type="submit" loading={change.isPending}>
              Change the password
            </Button>
          </Group>
        </Stack>
      </form>
      <SavedNote>{note}</SavedNote>
    </Panel>
  );
}
