import { describe, expect, it } from 'vitest';
import { claimTexts, needsClaim, parseRoleRules, rolesByTenant } from './role-mapping.js';

describe('parseRoleRules', () => {
  it.each([
    ['ops=default:admin', [{ value: 'ops', tenant: 'default', role: 'admin' }]],
    [
      'cs-team=default:editor, ops=default:admin,*=acme:viewer',
      [
        { value: 'cs-team', tenant: 'default', role: 'editor' },
        { value: 'ops', tenant: 'default', role: 'admin' },
        { value: '*', tenant: 'acme', role: 'viewer' },
      ],
    ],
    ['/cs/emea leads = acme:editor ', [{ value: '/cs/emea leads', tenant: 'acme', role: 'editor' }]],
    [
      'https://acme.example/cs:1=acme:viewer',
      [{ value: 'https://acme.example/cs:1', tenant: 'acme', role: 'viewer' }],
    ],
    [
      '"CN=cs,OU=groups"=acme:viewer, "CN=ops"=acme:admin',
      [
        { value: 'CN=cs,OU=groups', tenant: 'acme', role: 'viewer' },
        { value: 'CN=ops', tenant: 'acme', role: 'admin' },
      ],
    ],
  ])('reads %j', (text, rules) => {
    expect(parseRoleRules(text)).toEqual(rules);
  });

  it.each([
    ['ops'],
    ['ops=default'],
    ['ops=default:owner'],
    ['ops=Default:admin'],
    ['=default:admin'],
    ['ops=:admin'],
    ['ops=default:admin,'],
    ['ops=default:admin,,cs=default:viewer'],
    ['ops=default:admin cs=default:viewer'],
    ['CN=cs,OU=groups=acme:viewer'],
    ['CN=cs=acme:viewer'],
    ['"cs=acme:viewer'],
    ['""=acme:viewer'],
  ])('rejects %j', (text) => {
    expect(parseRoleRules(text)).toBeUndefined();
  });
});

describe('rolesByTenant', () => {
  const rules = parseRoleRules('cs=default:editor, ops=default:admin, ops=acme:viewer, *=open:viewer') ?? [];

  it.each([
    [[], { open: 'viewer' }],
    [['sales'], { open: 'viewer' }],
    [['cs'], { open: 'viewer', default: 'editor' }],
    [['ops', 'cs'], { open: 'viewer', default: 'admin', acme: 'viewer' }],
    [['CS', '*'], { open: 'viewer' }],
  ])('%j gives %j: the highest role in each tenant', (values, expected) => {
    expect(Object.fromEntries(rolesByTenant(rules, values))).toEqual(expected);
  });

  it('does not lower a role by a later rule', () => {
    const lower = parseRoleRules('ops=acme:admin, *=acme:viewer') ?? [];
    expect(Object.fromEntries(rolesByTenant(lower, ['ops']))).toEqual({ acme: 'admin' });
  });
});

describe('needsClaim', () => {
  it.each([
    ['*=acme:viewer', false],
    ['*=acme:viewer, cs=acme:editor', true],
  ])('%s: %s', (text, expected) => {
    expect(needsClaim(parseRoleRules(text) ?? [])).toBe(expected);
  });
});

describe('claimTexts', () => {
  it.each([
    ['groups', { groups: ['cs', 'ops'] }, ['cs', 'ops']],
    ['groups', { groups: 'cs ops' }, ['cs ops']],
    ['groups', { groups: ['cs', 7, null, ['ops']] }, ['cs']],
    ['groups', { groups: [] }, []],
    ['groups', { groups: 7 }, []],
    ['groups', { roles: ['cs'] }, undefined],
    ['realm_access.roles', { realm_access: { roles: ['cs'] } }, ['cs']],
    ['realm_access.roles', { realm_access: 'roles' }, undefined],
    ['https://acme.example/roles', { 'https://acme.example/roles': ['cs'] }, ['cs']],
    ['realm_access.roles', { 'realm_access.roles': ['ops'], realm_access: { roles: ['cs'] } }, ['ops']],
    ['constructor.name', {}, undefined],
  ])('%s of %j is %j', (path, claims, expected) => {
    expect(claimTexts(claims, path)).toEqual(expected);
  });
});
