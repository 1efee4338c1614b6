import Type from 'typebox';
import { principalOf } from '../../auth/authenticate.js';
import { actorOf, operation, type V2App, type V2Parts } from '../operation.js';
import { KeyIdParams, KeySchema, keyBody, requireLive } from './key-body.js';

const Body = Type.Object(
  { source: Type.String({ description: 'An existing source.' }) },
  { additionalProperties: false, examples: [{ source: 'crm' }] },
);

export function patchKey(app: V2App, parts: V2Parts): void {
  const { store, clock } = parts;
  const options = operation(parts, 'admin', {
    id: 'patch-key',
    tag: 'Keys',
    summary: 'Give a key another source',
    description: 'Its next request belongs to that source. Runs that the key has begun keep their source.',
    schema: { params: KeyIdParams, body: Body },
    responses: { 200: { description: 'The key.', schema: KeySchema } },
    errorStatuses: [404, 409],
  });
  app.patch('/keys/:id', options, async (request) => {
    const { tenant } = principalOf(request);
    const { keys } = store.directory;
    const now = clock();
    const key = requireLive(await keys.list(tenant.id), request.params.id, now);
    const { source } = request.body;
    await keys.moveTo(tenant.id, key.id, source, actorOf(request, now));
    return keyBody({ ...key, source }, now);
  });
}
