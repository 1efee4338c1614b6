import Type from 'typebox';
import { principalOf } from '../../auth/authenticate.js';
import { JSON_TYPE } from '../../json-type.js';
import { ETAG } from '../../openapi/description.js';
import { operation, type V2App, type V2Parts } from '../operation.js';
import { AccountIdParams, AccountSchema } from '../schemas.js';
import { accountBody, findAccount } from './account-body.js';
import { etagOf } from './revision-tag.js';

export function getAccount(app: V2App, parts: V2Parts): void {
  const options = operation(parts, 'read', {
    id: 'get-account',
    tag: 'Accounts',
    summary: 'Read one account',
    description:
      'Send the `ETag` of an earlier response as `If-None-Match` to get 304 if nothing has changed.',
    schema: { params: AccountIdParams },
    headers: Type.Object({
      'If-None-Match': Type.Optional(
        Type.String({ description: 'An `ETag` of this account.', examples: ['"7-kVw2mC8cZ0Jt1nQyT5b6Xg"'] }),
      ),
    }),
    responses: {
      200: { description: 'The account.', schema: AccountSchema, headers: { ETag: ETAG } },
      304: { description: 'Not changed.', headers: { ETag: ETAG } },
    },
    errorStatuses: [404],
  });
  app.get('/accounts/:id', options, async (request, reply) => {
    const account = await findAccount(parts.store, request);
    const body = JSON.stringify(accountBody(account, principalOf(request).tenant.rules));
    const etag = etagOf(account, body);
    reply.header('etag', etag);
    if (matches(request.headers['if-none-match'], etag)) return reply.code(304).send();
    return reply.type(JSON_TYPE).send(body);
  });
}

function matches(header: string | undefined, etag: string): boolean {
  const tags = (header ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes(etag) || tags.includes('*');
}
