import { principalOf } from '../../auth/authenticate.js';
import { httpError } from '../../errors.js';
import { operation, type V2App, type V2Parts } from '../operation.js';
import { AttributeNameParams, AttributeSchema, attributeBody, attributesOf } from './attribute-body.js';

export function getAttribute(app: V2App, parts: V2Parts): void {
  const options = operation(parts, 'read', {
    id: 'get-attribute',
    tag: 'Schema',
    summary: 'Read one attribute',
    schema: { params: AttributeNameParams },
    responses: { 200: { description: 'The attribute.', schema: AttributeSchema } },
    errorStatuses: [404],
  });
  app.get('/attributes/:name', options, async (request) => {
    const { tenant } = principalOf(request);
    const attribute = (await attributesOf(parts.store, tenant.id)).get(request.params.name);
    if (attribute === undefined) throw httpError('not_found', `attribute ${request.params.name}`);
    const { statistics } = parts.store;
    const accounts = await statistics.holders(tenant.id, attribute.name);
    return attributeBody(attribute, { accounts, total: await statistics.stored(tenant.id) });
  });
}
