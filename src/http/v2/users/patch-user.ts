import Type from 'typebox';
import { principalOf } from '../../auth/authenticate.js';
import { httpError } from '../../errors.js';
import { actorOf, operation, type V2App, type V2Parts } from '../operation.js';
import { RoleSchema } from '../sessions/get-session.js';
import { rejectOwnUser, UserIdParams, UserSchema, userBody } from './user-body.js';

const Body = Type.Object(
  {
    role: Type.Optional(RoleSchema),
    disabled: Type.Optional(
      Type.Boolean({ description: 'A disabled user cannot sign in to the tenant, and is signed out of it.' }),
    ),
  },
  { additionalProperties: false, minProperties: 1, examples: [{ role: 'viewer' }] },
);

export function patchUser(app: V2App, parts: V2Parts): void {
  const { store, clock } = parts;
  const options = operation(parts, 'admin', {
    id: 'patch-user',
    tag: 'Users',
    summary: 'Change the role of a user, or disable or enable one',
    description:
      'Takes effect in every process within a second. Administrators cannot change their own role, nor disable ' +
      'themselves.',
    schema: { params: UserIdParams, body: Body },
    responses: { 200: { description: 'The user.', schema: UserSchema } },
    errorStatuses: [404, 409],
  });
  app.patch('/users/:id', options, async (request) => {
    const principal = principalOf(request);
    const { id } = request.params;
    rejectOwnUser(principal, id);
    const { users } = store.directory;
    const { role, disabled: isDisabled } = request.body;
    const by = actorOf(request, clock());
    await users.change(principal.tenant.id, id, { role, isDisabled }, by);
    const changed = await users.member(principal.tenant.id, id);
    if (changed === undefined) throw httpError('not_found', `user ${id}`);
    return userBody(changed);
  });
}
