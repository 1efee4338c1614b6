import { principalOf } from '../authenticate.js';
import { operation, type V2App, type V2Parts } from './operation.js';
import { SessionSchema, sessionBody } from './session-body.js';

export function getSession(app: V2App, parts: V2Parts): void {
  const options = operation(parts, 'any', {
    id: 'get-session',
    tag: 'Sessions',
    summary: 'Tell who is asking',
    description: 'Also to a key without a session; then `expires_at` is that of the key.',
    schema: {},
    answers: { 200: { description: 'The key, its tenant, and the service', schema: SessionSchema } },
  });
  app.get('/session', options, async (request) => sessionBody(principalOf(request), parts.store));
}
