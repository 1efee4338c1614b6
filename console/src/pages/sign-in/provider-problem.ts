/** Why the server has refused a sign-in at the identity provider, by the code that it adds to the address. */
const PROBLEMS: Readonly<Record<string, (provider: string) => string>> = {
  oidc_cancelled: (provider) =>
    `${provider} did not sign you in: you have cancelled, or may not use account-sync. Try again, or ask the administrator of ${provider} for access.`,
  oidc_refused: (provider) =>
    `${provider} has refused the sign-in. Try again. If it happens again, tell the operator of this server.`,
  oidc_expired: () => 'The sign-in took too long, or was begun in another window. Sign in again.',
  oidc_state_mismatch: () => 'The response belongs to another sign-in. Sign in again, in one window only.',
  oidc_token_invalid: (provider) =>
    `The response of ${provider} is not valid. Tell the operator of this server, whose log has the reason.`,
  oidc_unreachable: (provider) =>
    `${provider} does not respond. Try again in a minute. If it happens again, tell the operator of this server.`,
  oidc_busy: () => 'Too many people are signing in. Try again in a minute.',
  oidc_no_role: (provider) =>
    `You are signed in at ${provider}, but have no role here. Ask an administrator for an invitation, or for a group in ${provider} that has a role here.`,
  oidc_email_unverified: (provider) =>
    `${provider} does not confirm that your e-mail address is yours. Confirm it there, and sign in again.`,
  oidc_email_taken: () =>
    'Another sign-in uses your e-mail address here. Ask an administrator to remove that user first.',
  no_tenant: () =>
    'You have no access to a tenant. Ask an administrator for an invitation, or to enable you again.',
};

/** In the user's words, with what to do. */
export function providerProblem(code: string, provider = 'your identity provider'): string {
  const known = Object.hasOwn(PROBLEMS, code) ? PROBLEMS[code] : undefined;
  const text =
    known?.(provider) ??
    `Signing in with ${provider} did not work. Try again. If it happens again, tell the operator of this server.`;
  return text.charAt(0).toUpperCase() + text.slice(1);
}
