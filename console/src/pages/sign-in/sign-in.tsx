import { Button, Center, Paper, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { type FormEvent, useEffect, useState } from 'react';
import { ApiError } from '../../api/call';
import { MissingReadScope, useSignIn } from '../../api/session';
import { CodeBlock } from '../../components/code-block';
import icon from '../../icon.svg';

export function SignIn() {
  const [key, setKey] = useState('');
  const signIn = useSignIn();
  useEffect(() => {
    document.title = 'Sign in · account-sync';
  }, []);
  const tenant = signIn.error instanceof MissingReadScope ? signIn.error.tenant : 'default';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    signIn.mutate(key.trim());
  };
  return (
    <Center component="main" mih="100vh" p="md">
      <Paper component="form" onSubmit={submit} p="xl" w="100%" maw={420} shadow="sm">
        <Stack>
          <Stack gap={4} align="center">
            <img src={icon} alt="" width={44} height={44} />
            <Title order={1} size="h3">
              account-sync
            </Title>
            <Text c="dimmed" size="sm" ta="center">
              Sign in with an API key for your tenant.
            </Text>
          </Stack>
          <PasswordInput
            label="Key"
            placeholder="acs_…"
            value={key}
            onChange={(event) => setKey(event.currentTarget.value)}
            error={signIn.isError && messageOf(signIn.error)}
            autoComplete="off"
            spellCheck={false}
            data-autofocus
            autoFocus
            required
            withAsterisk={false}
            visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the key', tabIndex: 0 }}
          />
          <Button type="submit" loading={signIn.isPending} disabled={key.trim() === ''} fullWidth>
            Sign in
          </Button>
          <Text c="dimmed" size="xs">
            This browser does not store the key. If you have no key: the service prints one at its first
            start, and this command, run on the server, creates one for all pages of the console:
          </Text>
          <CodeBlock text={createKey(tenant)} label="the command" wraps />
        </Stack>
      </Paper>
    </Center>
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
