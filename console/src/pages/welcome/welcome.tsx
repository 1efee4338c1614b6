import { Button, Skeleton, Text } from '@mantine/core';
import { useEffect } from 'react';
import { Link as RouterLink, useLocation } from 'wouter';
import { ApiError } from '../../api/call';
import { type Link, useLink } from '../../api/links';
import { useSignInMethods } from '../../api/sign-in';
import { AuthCard } from '../../components/auth-card';
import { ErrorState } from '../../components/error-state';
import { aRole } from '../../components/roles';
import { InvitationForms } from './invitation-forms';
import { PasswordLinkForm } from './password-link-form';
import { useLinkToken } from './use-link-token';

/** Opened by a one-time link, whose token is in the fragment of the address, so that it is in no log. */
export default function Welcome() {
  const { token, remove } = useLinkToken();
  const [, navigate] = useLocation();
  const link = useLink(token);
  const methods = useSignInMethods();
  const isLookedUp = link.isSuccess;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per link
  useEffect(() => {
    // Before that, the page can be reloaded.
    if (isLookedUp) remove();
  }, [isLookedUp, token]);
  const signedIn = () => navigate('/', { replace: true });
  const error = link.error ?? methods.error;
  if (token === '')
    return (
      <NotValid reason="The address of this page is not complete. Open the link again from the message that you got." />
    );
  if (error instanceof ApiError && !error.isTransient) return <NotValid reason={error.message} />;
  if (link.data !== undefined && methods.data !== undefined) {
    const props = { token, link: link.data, methods: methods.data, onSignedIn: signedIn };
    return (
      <AuthCard title="Welcome" heading={headingOf(link.data)} description={link.data.email} key={token}>
        {link.data.kind === 'invitation' ? <InvitationForms {...props} /> : <PasswordLinkForm {...props} />}
      </AuthCard>
    );
  }
  return (
    <AuthCard title="Welcome" heading="account-sync">
      {error === null ? (
        <Skeleton height={236} />
      ) : (
        <ErrorState error={error} retry={() => (link.isError ? link : methods).refetch()} />
      )}
    </AuthCard>
  );
}

function headingOf({ kind, tenant, role }: Link): string {
  if (kind === 'password') return 'Set a new password';
  return `Join ${tenant} as ${role === null ? 'a member' : aRole(role)}`;
}

function NotValid({ reason }: { reason: string }) {
  return (
    <AuthCard title="Link not valid" heading="This link cannot be used">
      <Text size="sm">{reason}</Text>
      <Text size="sm" c="dimmed">
        If you have used the link already, you can sign in.
      </Text>
      <Button component={RouterLink} href="/" variant="default" fullWidth>
        Go to sign-in
      </Button>
    </AuthCard>
  );
}
