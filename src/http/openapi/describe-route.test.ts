import { fastify } from 'fastify';
import Type from 'typebox';
import { expect, it } from 'vitest';
import { operation, type V2Parts } from '../v2/operation.js';
import { serveOpenApi } from './serve-openapi.js';

it('describes bodies and responses of several media types, and the parameters that are validated', async () => {
  const app = fastify();
  await serveOpenApi(app, {});
  const guard = () => {};
  const lines = { type: 'string', description: 'a record a line' };
  const options = operation({ guards: { sync: guard } } as unknown as V2Parts, 'sync', {
    id: 'import',
    tag: 'Accounts',
    summary: 'Import',
    schema: {
      querystring: Type.Object({ dry_run: Type.Optional(Type.Boolean({ description: 'only try' })) }),
    },
    content: {
      'application/x-ndjson': { schema: lines, examples: { ok: { value: '{"account_id":"acme"}\n' } } },
      'application/json': { schema: Type.Array(Type.Object({}), { examples: [[{ account_id: 'acme' }]] }) },
    },
    responses: {
      200: {
        description: 'A line a record',
        content: { 'application/x-ndjson': { schema: lines, examples: { ok: { value: '{"index":0}\n' } } } },
      },
    },
  });
  app.post('/import', options, async () => '');
  const { post } = (await app.inject('/openapi.json')).json().paths['/import'];
  expect(post.requestBody).toEqual({
    required: true,
    content: {
      'application/x-ndjson': { schema: lines, examples: { ok: { value: '{"account_id":"acme"}\n' } } },
      'application/json': {
        schema: { type: 'array', items: { type: 'object', properties: {} } },
        examples: { ok: { value: [{ account_id: 'acme' }] } },
      },
    },
  });
  expect(post.responses[200].content).toEqual({
    'application/x-ndjson': { schema: lines, examples: { ok: { value: '{"index":0}\n' } } },
  });
  expect(Object.keys(post.responses)).toEqual(['200', '400', '401', '403', '415', '429', '500', '503']);
  expect(post.parameters).toEqual([
    { in: 'query', name: 'dry_run', required: false, description: 'only try', schema: { type: 'boolean' } },
  ]);
});
