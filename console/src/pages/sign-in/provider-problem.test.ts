import { describe, expect, it } from 'vitest';
import { providerProblem } from './provider-problem';

const GENERAL =
  'Signing in with Okta did not work. Try again. If it happens again, tell the operator of this server.';

describe('providerProblem', () => {
  it.each([
    'oidc_cancelled',
    'oidc_refused',
    'oidc_expired',
    'oidc_state_mismatch',
    'oidc_token_invalid',
    'oidc_unreachable',
    'oidc_busy',
    'oidc_no_role',
    'oidc_email_unverified',
    'oidc_email_taken',
    'no_tenant',
  ])('explains %s and says what to do', (code) => {
    const text = providerProblem(code, 'Okta');
    expect(text).not.toBe(GENERAL);
    expect(text).toMatch(/(Try|Sign in|sign in|Ask|ask|Tell|tell) .*\.$/);
  });

  it.each(['something_new', 'constructor', ''])('is general for %s', (code) => {
    expect(providerProblem(code, 'Okta')).toBe(GENERAL);
  });

  it('begins with a capital letter without a name', () => {
    expect(providerProblem('oidc_unreachable')).toBe(
      'Your identity provider does not respond. Try again in a minute. If it happens again, tell the operator of this server.',
    );
  });
});
