import Type from 'typebox';
import { principalOf } from '../../auth/authenticate.js';
import { operation, type V2App, type V2Parts } from '../operation.js';
import { UserSchema, userBody } from './user-body.js';

export function listUsers(app: V2App, parts: V2Parts): void {
  const { store } = parts;
  const options = operation(parts, 'admin', {
    id: 'list-users',
    tag: 'Users',
    summary: 'List the users of the tenant, by name',
    description: 'Includes disabled users. `last_used_at` is about a minute old.',
    schema: {},
    responses: { 200: { description: 'All users.', schema: Type.Object({ data: Type.Array(UserSchema) }) } },
  });
  app.get('/users', options, async (request) => {
    const members = await store.directory.users.members(principalOf(request).tenant.id);
    return { data: members.map(userBody) };
  });
}
