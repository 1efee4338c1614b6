import { Button, Stack, Text, TextInput } from '@mantine/core';
import type { FormEvent } from 'react';
import { useSignInWithPassword } from '../../api/sign-in';
import { SecretInput } from '../../components/secret-input';

/**
 * Password managers find the fields by their `name` and `autocomplete`. Some fill them in without an event, so the values
 * are read when the form is submitted.
 */
export function PasswordForm() {
  const signIn = useSignInWithPassword();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    signIn.mutate({
      email: String(fields.get('email')).trim(),
      password: String(fields.get('password')),
    });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label="E-mail address"
          inputMode="email"
          name="email"
          autoComplete="username"
          autoCapitalize="off"
          spellCheck={false}
          data-autofocus
          autoFocus
          required
          withAsterisk={false}
        />
        <SecretInput
          what="password"
          label="Password"
          name="password"
          autoComplete="current-password"
          error={signIn.error?.message}
        />
        <Button type="submit" loading={signIn.isPending} fullWidth>
          Sign in
        </Button>
        <Text c="dimmed" size="xs">
          Password forgotten? An administrator of your tenant can give you a link to set a new one.
        </Text>
      </Stack>
    </form>
  );
}
