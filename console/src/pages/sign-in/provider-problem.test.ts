import { describe, expect, it } from 'vitest';
import { OIDC_PROBLEM_CODES } from '../../../../dist/http/auth/oidc-problem.js';
import { providerProblem } from './provider-problem';

const GENERAL =
  'Signing in with Okta did not work. Try again. If it happens again, tell the operator of this server.';

describe('providerProblem', () => {
  it.each([...OIDC_PROBLEM_CODES, 'no_tenant'])('explains %s and says what to do', (code) => {
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
