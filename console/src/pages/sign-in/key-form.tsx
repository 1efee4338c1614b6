import { Button, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../../api/call';
import { MissingReadScope, useSignInWithKey } from '../../api/sign-in';
import { CodeBlock } from '../../components/code-block';
import { SecretInput } from '../../components/secret-input';

export function KeyForm() {
  const [key, setKey] = useState('');
  const signIn = useSignInWithKey();
  const tenant = signIn.error instanceof MissingReadScope ? signIn.error.tenant : 'default';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    signIn.mutate(key.trim());
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <SecretInput
          what="key"
          label="Key"
          placeholder="acs_…"
          value={key}
          onChange={(event) => setKey(event.currentTarget.value)}
          error={signIn.isError && messageOf(signIn.error)}
          autoComplete="off"
          data-autofocus
          autoFocus
        />
        <Button type="submit" loading={signIn.isPending} disabled={key.trim() === ''} fullWidth>
          Sign in
        </Button>
        <Text c="dimmed" size="xs">
          This browser does not store the key. If you have no key: the service prints one at its first start,
          and this command, run on the server, creates one for all pages of the console:
        </Text>
        <CodeBlock text={createKey(tenant)} label="the command" wraps />
      </Stack>
    </form>
  );
}

/** Without --scope, the command would create a key that can only send accounts. */
const createKey = (tenant: string) =>
  `npx account-sync key create ${tenant} --label console --scope sync read admin`;

function messageOf(error: Error): string {
  if (!(error instanceof ApiError)) return error.message;
  return error.status === 401
    ? 'This key is not valid. Check for typing errors. The key may also be expired, revoked, or belong to another host name.'
    : error.message;
}
