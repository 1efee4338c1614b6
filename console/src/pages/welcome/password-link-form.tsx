import { Button, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { fieldError, otherError } from '../../api/field-error';
import { useRedeemLink } from '../../api/links';
import { ErrorState } from '../../components/error-state';
import { NewPasswordInput } from '../../components/new-password-input';
import { UserNameField } from '../../components/user-name-field';
import type { LinkFormProps } from './form-props';

export function PasswordLinkForm({ token, link: { email }, methods, onSignedIn }: LinkFormProps) {
  const [password, setPassword] = useState('');
  const redeem = useRedeemLink();
  const other = otherError(redeem.error, ['password']);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    redeem.mutate({ token, password }, { onSuccess: onSignedIn });
  };
  if (!methods.password)
    return <Text size="sm">Signing in with a password is switched off on this server.</Text>;
  return (
    <form onSubmit={submit}>
      <Stack>
        <UserNameField email={email} />
        <NewPasswordInput
          label="New password"
          value={password}
          onValue={setPassword}
          error={fieldError(redeem.error, 'password')}
        />
        <Text size="sm" c="dimmed">
          You are signed out everywhere else.
        </Text>
        {other && <ErrorState error={other} />}
        <Button type="submit" loading={redeem.isPending} fullWidth>
          Set the password
        </Button>
      </Stack>
    </form>
  );
}
