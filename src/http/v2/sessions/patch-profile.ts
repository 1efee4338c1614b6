import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import { canonicalUserName } from '../../../domain/user.js';
import { principalOf, requireUser } from '../../auth/authenticate.js';
import { HttpError, invalidRequest } from '../../errors.js';
import { actorOf, operation, type V2App, type V2Parts } from '../operation.js';
import { NAME_RULE, requirePassword } from '../users/user-body.js';
import { SessionSchema, sessionBody } from './get-session.js';

const Body = Type.Object(
  {
    name: Type.Optional(Type.String()),
    password: Type.Optional(Type.String({ description: 'The new password.' })),
    current_password: Type.Optional(Type.String({ description: 'Required for a new password.' })),
  },
  { additionalProperties: false, minProperties: 1, examples: [{ name: 'Kim' }] },
);

export function patchProfile(app: V2App, parts: V2Parts): void {
  const { store, signIn, refresh, clock } = parts;
  const options = operation(parts, 'any', {
    id: 'patch-profile',
    tag: 'Sessions',
    summary: 'Change the own name or password',
    description: 'A new password ends all other sessions of the user.',
    credentials: ['session'],
    schema: { body: Body },
    responses: { 200: { description: 'The session.', schema: SessionSchema } },
    errorStatuses: [403, 409],
  });
  app.patch('/profile', options, async (request) => {
    const principal = principalOf(request);
    const { user, session } = requireUser(principal);
    const { users } = store.directory;
    const { body } = request;
    const name = body.name === undefined ? user.name : canonicalUserName(body.name);
    if (name === undefined) throw invalidRequest([{ pointer: '/body/name', detail: NAME_RULE }]);
    if (body.password !== undefined) {
      signIn.require('password');
      requirePassword(body.password, { email: user.email, name });
      const before = await checkCurrent(parts, user.email, body.current_password ?? '', request);
      const after = await signIn.passwords.hash(body.password);
      const by = actorOf(request, clock());
      if (!(await users.replacePassword(user.id, { before, after }, session.hash, by))) throw wrongCurrent();
    }
    if (name !== user.name) await users.rename(user.id, name, actorOf(request, clock()));
    refresh();
    return sessionBody({ ...principal, label: name, user: { ...user, name } }, parts, request);
  });
}

/** Not 401, which would mean that the session has ended. */
const wrongCurrent = () => invalidRequest([{ pointer: '/body/current_password', detail: 'is not right' }]);

/** The stored hash of the present password. */
async function checkCurrent(
  { signIn }: V2Parts,
  email: string,
  password: string,
  request: FastifyRequest,
): Promise<string> {
  const user = await signIn.checkPassword(email, password, request).catch((error) => {
    throw error instanceof HttpError && error.code === 'sign_in_failed' ? wrongCurrent() : error;
  });
  return user.password as string;
}
