import Type from 'typebox';
import { hashKey } from '../../../domain/api-key.js';
import { principalOf, requireUser } from '../../auth/authenticate.js';
import { newToken, setSessionCookie } from '../../auth/sessions.js';
import { httpError } from '../../errors.js';
import { SET_COOKIE } from '../../openapi/description.js';
import { operation, type V2App, type V2Parts } from '../operation.js';
import { SessionSchema, sessionBody } from './get-session.js';

const Body = Type.Object(
  { tenant: Type.String({ description: 'The name of a tenant to which the user belongs.' }) },
  { additionalProperties: false, examples: [{ tenant: 'trial' }] },
);

export function switchTenant(app: V2App, parts: V2Parts): void {
  const { store, signIn, principals, refresh, clock } = parts;
  const options = operation(parts, 'any', {
    id: 'switch-tenant',
    tag: 'Sessions',
    summary: 'Switch the session to another tenant of the user',
    description: 'The session gets a new cookie, with which all following requests work in that tenant.',
    credentials: ['session'],
    schema: { body: Body },
    responses: {
      200: { description: 'The session.', schema: SessionSchema, headers: { 'Set-Cookie': SET_COOKIE } },
    },
    errorStatuses: [404, 409],
  });
  app.put('/session/tenant', options, async (request, reply) => {
    const { user, session } = requireUser(principalOf(request));
    const tenants = await signIn.tenantsOf(user.id, request);
    const { tenant: name } = request.body;
    const tenant = tenants.find((one) => one.name === name);
    if (tenant === undefined) throw httpError('not_found', `tenant ${name} of this user here`);
    const token = newToken();
    const hash = hashKey(token);
    const isMoved = await store.directory.sessions.move(session.hash, { hash, tenantId: tenant.id });
    refresh();
    const now = clock();
    const principal = await principals.findSender(tenant.id, user.id, request.hostname, now);
    if (!isMoved || principal === undefined) throw httpError('unauthenticated');
    setSessionCookie(reply, token, Math.ceil((session.expiresAt - now) / 1_000));
    const moved = { ...session, hash, tenantId: tenant.id };
    return sessionBody({ ...principal, session: moved }, parts, request);
  });
}
