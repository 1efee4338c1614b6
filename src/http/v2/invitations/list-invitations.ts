import Type from 'typebox';
import { principalOf } from '../../auth/authenticate.js';
import { operation, type V2App, type V2Parts } from '../operation.js';
import { InvitationSchema, invitationBody } from './invitation-body.js';

export function listInvitations(app: V2App, parts: V2Parts): void {
  const { store, clock } = parts;
  const options = operation(parts, 'admin', {
    id: 'list-invitations',
    tag: 'Users',
    summary: 'List the open invitations, oldest first',
    description: 'Without expired ones.',
    schema: {},
    responses: {
      200: { description: 'All invitations.', schema: Type.Object({ data: Type.Array(InvitationSchema) }) },
    },
  });
  app.get('/invitations', options, async (request) => {
    const { id } = principalOf(request).tenant;
    const invitations = await store.directory.links.invitations(id, clock());
    return { data: invitations.map(invitationBody) };
  });
}
