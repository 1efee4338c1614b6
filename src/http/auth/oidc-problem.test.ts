import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { asOidcProblem, OIDC_PROBLEM_CODES, OidcProblem } from './oidc-problem.js';

it('docs/errors.md has a row for every problem of a sign-in by OpenID Connect', () => {
  const page = readFileSync(new URL('../../../docs/errors.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| `(oidc_\w+)` \| [^|]+ \| [^|]+ \|$/gm)].map(([, code]) => code);
  expect(rows.sort()).toEqual([...OIDC_PROBLEM_CODES].sort());
});

it('a fault of the service is no problem of the provider', () => {
  for (const error of [new TypeError('x is not a function'), new Error('disk full'), 'a text']) {
    expect(asOidcProblem(error)).toBe(error);
  }
  const problem = new OidcProblem('oidc_busy', 'many');
  expect(asOidcProblem(problem)).toBe(problem);
});
