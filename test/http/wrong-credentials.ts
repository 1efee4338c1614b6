import { generateKey, SCOPES } from '../../dist/domain/api-key.js';
import { Browsers, withToken } from './browsers.js';
import { eventually, NOON, type Tenant, type V2Server } from './v2-server.js';

/** The credentials of a request. */
export interface Credential {
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: string;
  /** The key in the body of a sign-in. */
  readonly key?: string;
}

const newKey = () => generateKey((bytes) => crypto.getRandomValues(new Uint8Array(bytes)));
const bearer = (key: string): Credential => ({ headers: { authorization: `Bearer ${key}` }, key });
const header = (authorization: string): Credential => ({ headers: { authorization } });

/** Credentials that must be rejected, derived from valid ones. */
export async function wrongCredentials(server: V2Server, own: Tenant): Promise<Record<string, Credential>> {
  await server.tenant({ hosts: ['other.test'] });
  const removed = await server.tenant();
  const browsers = new Browsers(server);
  const { key } = newKey();
  const live = await own.addKey(SCOPES, { id: 'livelive', key });
  const revoked = await own.addKey(SCOPES, newKey());
  const expired = await own.addKey(SCOPES, newKey(), NOON + 1_000);
  const session = await browsers.session(live);
  const ended = await browsers.session(live);
  const ofRevoked = await browsers.session(revoked);
  const ofRemoved = await browsers.session(removed.key);
  await browsers.signOut(ended);
  await server.store.directory.keys.revoke(own.id, revoked.slice(4, 12), NOON);
  await server.store.directory.removeTenant(removed.id, () => {});
  server.now = NOON + 1_000;
  await eventually(async () => {
    for (const sent of [bearer(revoked), bearer(removed.key), { headers: { ...ended } }]) {
      const { status } = await server.inject({ url: '/api/v2/session', headers: { ...sent.headers } });
      if (status !== 401) throw new Error(`${status} although the key or the session has ended`);
    }
  });
  const wrongChecksum = `${live.slice(0, -1)}${live.endsWith('0') ? '1' : '0'}`;
  return {
    nothing: {},
    'an empty header': header(''),
    'a scheme alone': header('Bearer'),
    'a scheme and a space': header('Bearer '),
    'a key with white space': header(`Bearer ${live} x`),
    'a list of keys': header(`Bearer ${live}, Bearer ${live}`),
    'a key without a scheme': header(live),
    'another scheme': header(`Token ${live}`),
    'a key as a password': header(`Basic ${Buffer.from(`x:${live}`).toString('base64')}`),
    'a key as a user': header(`Basic ${Buffer.from(`${live}:`).toString('base64')}`),
    'a key in another header': { headers: { 'x-api-key': live } },
    'a key in the query': { query: `access_token=${live}` },
    'a key in a cookie': { headers: { cookie: `account_sync_session=${live}`, ...CONSOLE } },
    'an unknown key': bearer(newKey().key),
    'an unknown key of another form': bearer('x'.repeat(40)),
    'a key of 8,000 characters': bearer('x'.repeat(8_000)),
    'the id of a key': bearer('livelive'),
    'a key without its end': bearer(live.slice(0, -1)),
    'a key with more at its end': bearer(`${live}0`),
    'a key in capitals': bearer(live.toUpperCase()),
    'a key whose checksum is wrong': bearer(wrongChecksum),
    'a key that is revoked': bearer(revoked),
    'a key that has expired': bearer(expired),
    'a key of a tenant that is removed': bearer(removed.key),
    'a key at the host of another tenant': {
      ...bearer(live),
      headers: { ...bearer(live).headers, ...AT_OTHER },
    },
    'a session without the header of the console': { headers: { cookie: session.cookie } },
    'a session with another value of that header': {
      headers: { cookie: session.cookie, 'x-account-sync-console': 'true' },
    },
    'a session and another Authorization header': { headers: { ...session, authorization: 'Basic eDp5' } },
    'a session at the host of another tenant': { headers: { ...session, ...AT_OTHER } },
    'a session that has ended': { headers: ended },
    'a session whose key is revoked': { headers: ofRevoked },
    'a session of a tenant that is removed': { headers: ofRemoved },
    'an unknown session': { headers: withToken('x'.repeat(43)) },
    'a session of another form': { headers: withToken('x') },
    'two cookies, the first unknown': {
      headers: { ...session, cookie: `account_sync_session=${'x'.repeat(43)}; ${session.cookie}` },
    },
    'the token of a session as a key': bearer(/=(.+)/.exec(session.cookie)?.[1] ?? ''),
  };
}

const CONSOLE = { 'x-account-sync-console': '1' };
const AT_OTHER = { host: 'OTHER.test:8080' };
