import { Button, Divider, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { fieldError, otherError } from '../../api/field-error';
import { useRedeemLink } from '../../api/links';
import { ErrorState } from '../../components/error-state';
import { NewPasswordInput } from '../../components/new-password-input';
import { OwnNameInput } from '../../components/own-name-input';
import { ProviderButton } from '../../components/provider-button';
import { SecretInput } from '../../components/secret-input';
import { UserNameField } from '../../components/user-name-field';
import type { LinkFormProps } from './form-props';

/** Accepts an invitation with a password, or at the identity provider. */
export function InvitationForms(props: LinkFormProps) {
  const { link, methods } = props;
  const { password, oidc } = methods;
  return (
    <>
      {password && (link.has_password ? <ExistingUser {...props} /> : <NewUser {...props} />)}
      {password && oidc !== null && <Divider label="or" labelPosition="center" />}
      {oidc !== null && (
        <ProviderButton name={oidc.name} returnTo="/console" variant={password ? 'default' : 'filled'} />
      )}
      {!password && oidc === null && (
        <Text size="sm">
          Signing in with a password is switched off on this server. Ask its operator how to sign in.
        </Text>
      )}
    </>
  );
}

function NewUser({ token, link: { email }, onSignedIn }: LinkFormProps) {
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const redeem = useRedeemLink();
  const other = otherError(redeem.error, ['name', 'password']);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    redeem.mutate({ token, name: name.trim(), password }, { onSuccess: onSignedIn });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <OwnNameInput
          label="Your name"
          description="Shown beside what you change."
          value={name}
          onValue={setName}
          error={fieldError(redeem.error, 'name')}
          autoFocus
        />
        <UserNameField email={email} />
        <NewPasswordInput
          value={password}
          onValue={setPassword}
          error={fieldError(redeem.error, 'password')}
        />
        {other && <ErrorState error={other} />}
        <Button type="submit" loading={redeem.isPending} fullWidth>
          Join
        </Button>
      </Stack>
    </form>
  );
}

/** For a user who already belongs to another tenant. */
function ExistingUser({ token, link: { email }, onSignedIn }: LinkFormProps) {
  const [password, setPassword] = useState('');
  const redeem = useRedeemLink();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    redeem.mutate({ token, password }, { onSuccess: onSignedIn });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <UserNameField email={email} />
        <SecretInput
          what="password"
          label="Your password"
          description="You have a user on this server already. Confirm that it is you with its password."
          name="password"
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          error={redeem.error?.message}
          autoFocus
        />
        <Button type="submit" loading={redeem.isPending} fullWidth>
          Join
        </Button>
      </Stack>
    </form>
  );
}
