import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ERRORS, httpError } from './errors.js';

it('docs/errors.md has a row for every error, with its status', () => {
  const page = readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| `(\w+)` \| (\d{3}|4xx) \| .+ \| .+ \|$/gm)];
  const documented = rows.map(([, code, status]) => [code, status]).sort();
  const known = Object.entries(ERRORS).map(([code, { status }]) => [
    code,
    code === 'bad_request' ? '4xx' : String(status),
  ]);
  expect(documented).toEqual(known.sort());
});

it('an error that passes by itself says when to try again', () => {
  expect(httpError('rate_limited', 42)).toMatchObject({
    status: 429,
    message: 'Too many requests. Send this one again in 42 seconds.',
    headers: { 'retry-after': '42' },
  });
  expect(httpError('write_queue_full').headers).toEqual({ 'retry-after': '1' });
  expect(httpError('scope_missing', 'read').headers).toEqual({});
});
