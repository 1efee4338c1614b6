import { Alert, Anchor, Divider, Skeleton } from '@mantine/core';
import { useState } from 'react';
import { type SignInMethods, useSignInMethods } from '../../api/sign-in';
import { AuthCard } from '../../components/auth-card';
import { ProviderButton } from '../../components/provider-button';
import { QueryView } from '../../components/query-view';
import { useQueryParameters } from '../../components/use-url';
import { IconAlertTriangle } from '../../icons/icons.js';
import { KeyForm } from './key-form';
import { PasswordForm } from './password-form';
import { providerProblem } from './provider-problem';

/** The address of the page is that of the page to return to, except for this one. */
const OWN_PATH = '/console/sign-in';

export function SignIn() {
  const query = useSignInMethods();
  return (
    <AuthCard title="Sign in" heading="account-sync" description="Sign in to the console.">
      <QueryView query={query} loading={<Skeleton height={236} />}>
        {(methods) => <Methods methods={methods} />}
      </QueryView>
    </AuthCard>
  );
}

/** A password or the identity provider first. A key is for those who have no user yet, so it is shown on request. */
function Methods({ methods: { password, key, oidc } }: { methods: SignInMethods }) {
  const [parameters] = useQueryParameters();
  const [wantsKey, setWantsKey] = useState(false);
  const isOwnPath = location.pathname === OWN_PATH;
  const problem = isOwnPath ? parameters.get('problem') : null;
  const isKeyOnly = key && !password && oidc === null;
  const showsKey = key && (wantsKey || isKeyOnly);
  return (
    <>
      {problem !== null && (
        <Alert color="red" variant="light" role="alert" icon={<IconAlertTriangle aria-hidden />}>
          {providerProblem(problem, oidc?.name)}
        </Alert>
      )}
      {showsKey ? <KeyForm /> : password && <PasswordForm />}
      {!showsKey && password && oidc !== null && <Divider label="or" labelPosition="center" />}
      {!showsKey && oidc !== null && (
        <ProviderButton
          name={oidc.name}
          returnTo={isOwnPath ? '/console' : `${location.pathname}${location.search}`}
          variant={password ? 'default' : 'filled'}
        />
      )}
      {key && !isKeyOnly && (
        <Anchor component="button" type="button" size="sm" ta="center" onClick={() => setWantsKey(!wantsKey)}>
          {showsKey ? 'Sign in another way' : 'Use an API key instead'}
        </Anchor>
      )}
    </>
  );
}
