import { Command, Option } from 'commander';
import { LINK_VALIDITY_MS } from '../../domain/one-time-link.js';
import { canonicalEmail, ROLES, type Role } from '../../domain/user.js';
import type { Store } from '../../store/store.js';
import type { Tenant } from '../../store/tenants/directory.js';
import type { Member, User } from '../../store/tenants/user-row.js';
import {
  CommandFailed,
  isoTime,
  type OutputOptions,
  print,
  withJson,
  withStore,
  withTenant,
} from '../terminal/command-line.js';
import { newLink, showLinkOnce } from '../user/link-output.js';
import { describeMember, showUsers } from '../user/user-output.js';

interface SetOptions extends OutputOptions {
  readonly role?: Role;
  readonly enable?: boolean;
  readonly disable?: boolean;
}

export function userCommand(): Command {
  const command = new Command('user').description('invite, list, change and remove the people who sign in');
  withJson(
    command
      .command('invite <tenant> <email>')
      .description('create a link with which a person joins a tenant; it is shown once'),
  )
    .addOption(roleOption().makeOptionMandatory())
    .action(invite);
  withJson(
    command.command('list <tenant>').description('list the users of a tenant, and open invitations'),
  ).action(listUsers);
  withJson(
    command
      .command('set <tenant> <email>')
      .description('change the role of a user, disable or enable a user'),
  )
    .addOption(roleOption())
    .addOption(
      new Option('--disable', 'sign the user out of the tenant, and keep the role').conflicts('enable'),
    )
    .option('--enable', 'let the user sign in again')
    .action(setUser);
  withJson(
    command
      .command('remove <tenant> <email>')
      .description('remove a user from a tenant, or withdraw the invitation of a person'),
  ).action(removeUser);
  withJson(
    command
      .command('reset-password <email>')
      .description('create a link with which a user chooses a new password; it is shown once'),
  ).action(resetPassword);
  withJson(command.command('end-sessions <email>').description('sign a user out of all browsers')).action(
    endSessions,
  );
  return command;
}

function roleOption(): Option {
  return new Option(
    '--role <role>',
    'viewer reads, editor also pushes accounts, admin also manages the tenant',
  ).choices(ROLES);
}

async function invite(
  name: string,
  address: string,
  options: OutputOptions & { readonly role: Role },
): Promise<void> {
  const email = readEmail(address);
  const { role } = options;
  const { hash, url } = newLink();
  await withTenant(name, options, async (store, tenant) => {
    const member = await findMember(store, tenant, email);
    if (member !== undefined) throw new CommandFailed(alreadyMember(member, tenant));
    const expiresAt = Date.now() + LINK_VALIDITY_MS.invitation;
    const { id, createdAt } = await store.directory.links.invite(tenant.id, role, { hash, email, expiresAt });
    const rows: [string, string][] = [
      ['User', email],
      ['Tenant', name],
      ['Role', role],
    ];
    const data = { id, email, tenant: name, role, created_at: isoTime(createdAt) };
    showLinkOnce(options, { url, expiresAt, rows, data });
  });
}

async function listUsers(name: string, options: OutputOptions): Promise<void> {
  await withTenant(name, options, async ({ directory }, { id }) => {
    const users = await directory.users.members(id);
    showUsers(options, name, users, await directory.links.invitations(id, Date.now()));
  });
}

async function setUser(name: string, address: string, options: SetOptions): Promise<void> {
  const { role, enable, disable } = options;
  const email = readEmail(address);
  if (role === undefined && !enable && !disable)
    throw new CommandFailed('Nothing to change: give --role, --disable or --enable.');
  const isDisabled = disable ? true : enable ? false : undefined;
  await withTenant(name, options, async (store, tenant) => {
    const { id } = await requireMember(store, tenant, email);
    await store.directory.users.change(tenant.id, id, { role, isDisabled });
    const after = await requireMember(store, tenant, email);
    const state = after.disabledAt === null ? '' : ', disabled';
    const lines = [
      `${email} is now ${after.role} in ${name}${state}. A running server applies this within a second.`,
    ];
    if (role !== undefined && after.origin === 'oidc')
      lines.push('The role comes from OpenID Connect: the next sign-in of the user sets it again.');
    print(options, describeMember(after), lines.join('\n'));
  });
}

async function removeUser(name: string, address: string, options: OutputOptions): Promise<void> {
  const email = readEmail(address);
  await withTenant(name, options, async (store, tenant) => {
    const { users, links } = store.directory;
    const invitation = await findInvitation(store, tenant, email);
    if (invitation !== undefined) {
      await links.removeInvitation(tenant.id, invitation.id);
      print(
        options,
        { email, removed: 'invitation' },
        `Withdrew the invitation of ${email}. Its link no longer works.`,
      );
      return;
    }
    const { id } = await requireMember(store, tenant, email);
    await users.remove(tenant.id, id);
    const text = `Removed ${email} from ${name}. A running server signs the user out within a second.`;
    print(options, { email, removed: 'user' }, text);
  });
}

async function resetPassword(address: string, options: OutputOptions): Promise<void> {
  const email = readEmail(address);
  const { hash, url } = newLink();
  await withStore(options, async (store) => {
    const { links, users } = store.directory;
    const { id } = await requireUser(store, email);
    const tenants = (await users.tenantsOf(id)).map((tenant) => tenant.name);
    if (tenants.length === 0) {
      throw new CommandFailed(
        `${email} cannot sign in to any tenant, so a password would be of no use. ` +
          `Invite the person again: ${inviteCommand('<tenant>', email)} – or, if disabled in a tenant: ${enableCommand('<tenant>', email)}`,
      );
    }
    const expiresAt = Date.now() + LINK_VALIDITY_MS.password;
    await links.allowPassword(null, { hash, email, expiresAt });
    const rows: [string, string][] = [
      ['User', email],
      ['Tenants', tenants.join(', ')],
    ];
    const note = 'The old password works until the link is used.';
    showLinkOnce(options, { url, expiresAt, rows, note, data: { email, tenants } });
  });
}

async function endSessions(address: string, options: OutputOptions): Promise<void> {
  const email = readEmail(address);
  await withStore(options, async (store) => {
    const { users } = store.directory;
    const { id } = await requireUser(store, email);
    let ended = 0;
    for (const tenant of await users.tenantsOf(id)) ended += await users.endSessions(tenant.id, id);
    const text = `Ended ${ended} ${ended === 1 ? 'session' : 'sessions'} of ${email}.`;
    print(options, { email, ended }, text);
  });
}

function readEmail(text: string): string {
  const email = canonicalEmail(text);
  if (email !== undefined) return email;
  throw new CommandFailed(
    `${JSON.stringify(text)} is not an e-mail address. Give one such as colleague@acme.example.`,
  );
}

async function findMember({ directory }: Store, { id }: Tenant, email: string): Promise<Member | undefined> {
  const user = await directory.users.find({ email });
  return user && directory.users.member(id, user.id);
}

async function findInvitation({ directory }: Store, { id }: Tenant, email: string) {
  const invitations = await directory.links.invitations(id, Date.now());
  return invitations.find((invitation) => invitation.email === email);
}

async function requireMember(store: Store, tenant: Tenant, email: string): Promise<Member> {
  const member = await findMember(store, tenant, email);
  if (member !== undefined) return member;
  const { name } = tenant;
  if ((await findInvitation(store, tenant, email)) !== undefined) {
    throw new CommandFailed(
      `${email} has not accepted the invitation to ${name} yet. To change it, invite again: ${inviteCommand(name, email)}`,
    );
  }
  throw new CommandFailed(
    `The tenant ${name} has no user ${email}. List its users with: account-sync user list ${name}`,
  );
}

async function requireUser({ directory }: Store, email: string): Promise<User> {
  const user = await directory.users.find({ email });
  if (user !== undefined) return user;
  throw new CommandFailed(
    `There is no user ${email}. Invite the person with: ${inviteCommand('<tenant>', email)}`,
  );
}

function alreadyMember({ email, role, disabledAt }: Member, { name }: Tenant): string {
  return disabledAt === null
    ? `${email} is already ${role} in ${name}. Change the role with: account-sync user set ${name} ${email} --role <role>`
    : `${email} is already ${role} in ${name}, but disabled. Enable the user with: ${enableCommand(name, email)}`;
}

function inviteCommand(tenant: string, email: string): string {
  return `account-sync user invite ${tenant} ${email} --role <role>`;
}

function enableCommand(tenant: string, email: string): string {
  return `account-sync user set ${tenant} ${email} --enable`;
}
