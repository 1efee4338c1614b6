import Type from 'typebox';
import { principalOf } from '../../auth/authenticate.js';
import { operation, type V2App, type V2Parts } from '../operation.js';

export const EndedSchema = Type.Object(
  { ended: Type.Integer({ minimum: 0, description: 'How many sessions were ended.' }) },
  { title: 'EndedSessions', examples: [{ ended: 2 }] },
);

export function endOtherSessions(app: V2App, parts: V2Parts): void {
  const { store, refresh } = parts;
  const options = operation(parts, 'any', {
    id: 'end-other-sessions',
    tag: 'Sessions',
    summary: 'End all of the own sessions but the current one',
    description:
      'Those of the user in all tenants, or of the key. Takes effect in every process within a second.',
    schema: {},
    responses: { 200: { description: 'Ended.', schema: EndedSchema } },
  });
  app.delete('/sessions', options, async (request) => {
    const { senderId, session } = principalOf(request);
    const ended = await store.directory.sessions.end({ senderId, except: session?.hash });
    refresh();
    return { ended };
  });
}
