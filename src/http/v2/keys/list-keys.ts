import Type from 'typebox';
import { principalOf } from '../../auth/authenticate.js';
import { operation, type V2App, type V2Parts } from '../operation.js';
import { KeySchema, keyBody } from './key-body.js';

export function listKeys(app: V2App, parts: V2Parts): void {
  const { store, clock } = parts;
  const options = operation(parts, 'admin', {
    id: 'list-keys',
    tag: 'Keys',
    summary: 'List the keys of the tenant, oldest first',
    description: 'Includes expired and revoked keys.',
    schema: {},
    responses: { 200: { description: 'All keys.', schema: Type.Object({ data: Type.Array(KeySchema) }) } },
  });
  app.get('/keys', options, async (request) => {
    const keys = await store.directory.keys.list(principalOf(request).tenant.id);
    return { data: keys.map((key) => keyBody(key, clock())) };
  });
}
