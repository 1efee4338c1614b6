import type { OneTimeLink } from '../../store/tenants/one-time-links.js';
import type { Member } from '../../store/tenants/user-row.js';
import { isoTime, type OutputOptions, print, shortTime, table } from '../terminal/command-line.js';

export function showUsers(
  options: OutputOptions,
  tenant: string,
  users: readonly Member[],
  invitations: readonly OneTimeLink[],
): void {
  const parts = [
    users.length > 0
      ? table(['USER', 'NAME', 'ROLE', 'STATE', 'SIGN-IN', 'LAST USED'], users.map(asRow))
      : `No users yet. Invite one with: account-sync user invite ${tenant} <email> --role <role>`,
  ];
  if (invitations.length > 0) {
    const rows = invitations.map((one) => [
      one.email,
      one.role ?? '–',
      shortTime(one.createdAt),
      shortTime(one.expiresAt),
    ]);
    parts.push(table(['INVITED', 'ROLE', 'CREATED', 'EXPIRES'], rows));
  }
  const data = { users: users.map(describeMember), invitations: invitations.map(describeInvitation) };
  print(options, data, parts.join('\n\n'));
}

function asRow(member: Member): string[] {
  const { has_password, has_oidc, state } = describeMember(member);
  const methods = [...(has_password ? ['password'] : []), ...(has_oidc ? ['OpenID Connect'] : [])];
  return [
    member.email,
    member.name,
    member.role,
    state,
    methods.join(', ') || '–',
    shortTime(member.lastUsedAt),
  ];
}

export function describeMember(member: Member) {
  const { id, email, name, role, origin, disabledAt, password, hasIdentity, joinedAt, lastUsedAt } = member;
  return {
    id,
    email,
    name,
    role,
    state: disabledAt === null ? 'active' : 'disabled',
    origin,
    has_password: password !== null,
    has_oidc: hasIdentity,
    joined_at: isoTime(joinedAt),
    last_used_at: isoTime(lastUsedAt),
  };
}

function describeInvitation({ id, email, role, createdAt, expiresAt, createdBy }: OneTimeLink) {
  return {
    id,
    email,
    role,
    created_at: isoTime(createdAt),
    expires_at: isoTime(expiresAt),
    created_by: createdBy,
  };
}
