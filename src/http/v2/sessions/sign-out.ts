import { principalOf } from '../../auth/authenticate.js';
import { setSessionCookie } from '../../auth/sessions.js';
import { httpError } from '../../errors.js';
import { SET_COOKIE } from '../../openapi/description.js';
import { operation, type V2App, type V2Parts } from '../operation.js';

export function signOut(app: V2App, parts: V2Parts): void {
  const { store, refresh } = parts;
  const options = operation(parts, 'any', {
    id: 'sign-out',
    tag: 'Sessions',
    summary: 'End the session of this browser',
    description: 'Ends the session in every process within a second, and closes its streams of changes.',
    credentials: ['session'],
    schema: {},
    responses: { 204: { description: 'Signed out.', headers: { 'Set-Cookie': SET_COOKIE } } },
    errorStatuses: [409],
  });
  app.delete('/session', options, async (request, reply) => {
    const { session } = principalOf(request);
    if (session === undefined) {
      throw httpError('no_session');
    }
    await store.directory.sessions.remove(session.hash);
    refresh();
    setSessionCookie(reply, '', 0);
    return reply.code(204).send();
  });
}
