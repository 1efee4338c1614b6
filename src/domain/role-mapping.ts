import { isTenantName } from './tenant.js';
import { ROLES, type Role } from './user.js';

/** Matches every person who signs in. */
const ANY_PERSON = '*';

/** People whose claim has `value` have a role in a tenant. */
export interface RoleRule {
  readonly value: string;
  readonly tenant: string;
  readonly role: Role;
}

/** `"value"=tenant:role` or `value=tenant:role`; a value with a comma or an equals sign is in quotation marks. */
const RULE =
  /\s*(?:"(?<quoted>[^"]+)"|(?<plain>[^",=]+?))\s*=\s*(?<tenant>[^\s=:,]+):(?<role>\w+)\s*(?:,|$)/y;

/** Reads rules such as `cs-team=default:editor, *=acme:viewer`; undefined if one does not have that form. */
export function parseRoleRules(text: string): RoleRule[] | undefined {
  const rules: RoleRule[] = [];
  for (RULE.lastIndex = 0; RULE.lastIndex < text.length; ) {
    const { quoted, plain, tenant = '', role: name } = RULE.exec(text)?.groups ?? {};
    const value = quoted ?? plain;
    const role = ROLES.find((one) => one === name);
    if (value === undefined || role === undefined || !isTenantName(tenant)) return undefined;
    rules.push({ value, tenant, role });
  }
  return text.endsWith(',') ? undefined : rules;
}

/** Whether a role depends on the claim at all. */
export function needsClaim(rules: readonly RoleRule[]): boolean {
  return rules.some(({ value }) => value !== ANY_PERSON);
}

/** The highest role of a person in each tenant, by the values of the claim. */
export function rolesByTenant(
  rules: readonly RoleRule[],
  values: readonly string[],
): ReadonlyMap<string, Role> {
  const held = new Set(values);
  const roles = new Map<string, Role>();
  for (const { value, tenant, role } of rules) {
    if (value !== ANY_PERSON && !held.has(value)) continue;
    const before = roles.get(tenant);
    if (before === undefined || ROLES.indexOf(role) > ROLES.indexOf(before)) roles.set(tenant, role);
  }
  return roles;
}

/**
 * The texts of a claim, which is one or a list of them. `path` is the name of the claim; if there is none of that name,
 * its dots lead into nested objects. Undefined if there is no such claim.
 */
export function claimTexts(claims: Readonly<Record<string, unknown>>, path: string): string[] | undefined {
  const claim = memberOf(claims, path) ?? path.split('.').reduce<unknown>(memberOf, claims);
  if (claim === undefined) return undefined;
  return (Array.isArray(claim) ? claim : [claim]).filter((one) => typeof one === 'string');
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}
