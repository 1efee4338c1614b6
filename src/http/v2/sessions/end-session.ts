import Type from 'typebox';
import { principalOf } from '../../auth/authenticate.js';
import { httpError } from '../../errors.js';
import { operation, type V2App, type V2Parts } from '../operation.js';

const Params = Type.Object({
  id: Type.String({
    minLength: 1,
    description: 'The id of the session, as it is listed.',
    examples: ['3f9a2b7c'],
  }),
});

export function endSession(app: V2App, parts: V2Parts): void {
  const { store, refresh } = parts;
  const options = operation(parts, 'any', {
    id: 'end-session',
    tag: 'Sessions',
    summary: 'End one of the own sessions',
    description: 'Takes effect in every process within a second.',
    schema: { params: Params },
    responses: { 204: { description: 'Ended.' } },
    errorStatuses: [404],
  });
  app.delete('/sessions/:id', options, async (request, reply) => {
    const { id } = request.params;
    const isEnded = await store.directory.sessions.removeById(principalOf(request).senderId, id);
    if (!isEnded) throw httpError('not_found', `session ${id}`);
    refresh();
    return reply.code(204).send();
  });
}
