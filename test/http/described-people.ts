import { type DescribedServer, KEYS, PEOPLE } from './described-server.js';
import { UNKNOWN_LINK } from './example-body.js';

type Bodies = Readonly<Record<string, object>>;

/** Bodies with which operations without an id in the path return 404. */
export const NOT_FOUND: Bodies = {
  'switch-tenant': { tenant: 'nowhere' },
  'look-up-link': { token: UNKNOWN_LINK },
  'redeem-link': { token: UNKNOWN_LINK, password: 'password-of-nobody' },
};

/** These return 403 if the operator has switched passwords off. */
export const WITH_PASSWORDS: Bodies = {
  'sign-in': { email: PEOPLE.kim.email, password: PEOPLE.kim.password },
  'redeem-link': { token: UNKNOWN_LINK, password: 'password-of-nobody' },
  'patch-profile': { password: 'password-of-nobody' },
};

/** Requests about users that the current state does not allow. */
export async function conflictsOfUsers(server: DescribedServer) {
  const byKey = { headers: { authorization: `Bearer ${KEYS.all.key}` } };
  const ofAdmin = { path: `/api/v2/users/${server.adminId}`, byUser: true };
  const token = await server.invite('identity@example.com');
  server.running.breakDatabase(
    `insert into app_user (id, email, name, oidc_issuer, oidc_subject, created_at)
     values ('usr_identity', 'identity@example.com', 'I', 'https://issuer.example', 's', 1)`,
  );
  return [
    await server.sendTo('switch-tenant', { ...byKey, body: { tenant: 'trial' } }),
    await server.sendTo('patch-profile', { ...byKey, body: { name: 'Kim' } }),
    await server.sendTo('patch-user', { ...ofAdmin, body: { role: 'viewer' } }),
    await server.sendTo('remove-user', ofAdmin),
    await server.sendTo('create-password-link', { path: `${ofAdmin.path}/password-link` }),
    await server.sendTo('create-invitation', { body: { email: PEOPLE.admin.email, role: 'viewer' } }),
    await server.sendTo('redeem-link', { body: { token, password: 'password-of-identity' } }),
  ];
}
