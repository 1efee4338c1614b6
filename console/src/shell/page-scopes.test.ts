import { describe, expect, it } from 'vitest';
import type { Scope } from '../api/session';
import { mayOpen, pathInOtherTenant } from './page-scopes';

const viewer: readonly Scope[] = ['read'];
const editor: readonly Scope[] = ['read', 'sync'];
const admin: readonly Scope[] = ['read', 'sync', 'admin'];

describe('mayOpen', () => {
  it.each([
    ['/', [true, true, true]],
    ['/accounts/acme', [true, true, true]],
    ['/profile', [true, true, true]],
    ['/try', [false, true, true]],
    ['/webhooks', [false, false, true]],
    ['/settings/people', [false, false, true]],
    ['/constructor', [false, false, false]],
    ['/nothing', [false, false, false]],
  ])('%s by viewer, editor and admin: %j', (path, expected) => {
    expect([viewer, editor, admin].map((scopes) => mayOpen(path, scopes))).toEqual(expected);
  });
});

describe('pathInOtherTenant', () => {
  it.each([
    ['/', viewer, '/'],
    ['/runs', viewer, '/runs'],
    ['/runs/12', viewer, '/runs'],
    ['/accounts/a%2Fb', viewer, '/accounts'],
    ['/settings/people', admin, '/settings/people'],
    ['/settings/people', editor, '/'],
    ['/webhooks/wh_1', admin, '/webhooks'],
    ['/webhooks/wh_1', viewer, '/'],
    ['/try', editor, '/try'],
    ['/try', viewer, '/'],
    ['/profile', viewer, '/profile'],
    ['/nothing', admin, '/'],
  ])('of %s with %j is %s', (path, scopes, expected) => {
    expect(pathInOtherTenant(path, scopes)).toBe(expected);
  });
});
