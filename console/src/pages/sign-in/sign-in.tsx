import { Button, Center, Paper, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { type FormEvent, useEffect, useState } from 'react';
import { Problem } from '../../api/call';
import { CannotRead, useSignIn } from '../../api/session';
import icon from '../../icon.svg';
import { CodeBlock } from '../../parts/code-block';

export function SignIn() {
  const [key, setKey] = useState('');
  const signIn = useSignIn();
  useEffect(() => {
    document.title = 'Sign in · account-sync';
  }, []);
  const tenant = signIn.error instanceof CannotRead ? signIn.error.tenant : 'default';
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
              Sign in with an API key of your tenant.
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
            The key is not kept in this browser. No key yet? The first start of the service shows one; on its
            machine this command makes another, with which all of the console works:
          </Text>
          <CodeBlock text={createKey(tenant)} label="the command" wraps />
        </Stack>
      </Paper>
    </Center>
  );
}

/** Without scopes it would make a key that may only push accounts. */
const createKey = (tenant: string) =>
  `npx account-sync key create ${tenant} --label console --scope sync read admin`;

function messageOf(error: Error): string {
  if (!(error instanceof Problem)) return error.message;
  return error.status === 401
    ? 'This key is not known here: it is mistyped, revoked, expired, or of another host.'
    : error.message;
}
