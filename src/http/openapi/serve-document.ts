import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { VERSION } from '../../version.js';
import { JSON_TYPE } from '../json-body.js';
import { CONSOLE_HEADER, SESSION_COOKIE } from '../session-cookie.js';
import { CONTRACT } from '../v1_1/descriptions.js';
import { PROBLEM_EXAMPLES } from '../v2/problem-answers.js';
import { describeRoute } from './describe-route.js';
import type { Description } from './description.js';
import { PROBES } from './probes.js';
import type { Schemas } from './refer.js';
import { TAGS } from './tags.js';

/** Of routes that have no description of their own: what they do per request is theirs alone. */
const BY_PATH: Readonly<Record<string, Description>> = { ...CONTRACT, ...PROBES };

const ABOUT = `Keeps the accounts of a customer-success platform in step with the systems they come from.

Send \`Authorization: Bearer <key>\`. A key belongs to one tenant and has scopes: \`sync\` stores accounts, \`read\` reads
them, \`admin\` changes settings. Every answer names its request in \`X-Request-Id\`; send your own, of 1 to 64 letters,
digits and \`._:-\`, to find it again. Moments are UTC with milliseconds. A page of a listing may be shorter than
\`limit\`: only \`next: null\` says that it was the last.`;

const SECURITY_SCHEMES = {
  key: { type: 'http', scheme: 'bearer', description: 'An API key: `acs_…`' },
  session: { type: 'apiKey', in: 'cookie', name: SESSION_COOKIE, description: 'Set by `sign-in`' },
  console: { type: 'apiKey', in: 'header', name: CONSOLE_HEADER, description: 'Always `1`' },
} as const;

/** `GET /openapi.json`: what every route after this says of itself. It is put together when it is first asked for. */
export async function serveDocument(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'account-sync',
        version: VERSION,
        description: ABOUT,
        license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
      },
      servers: [{ url: '/' }],
      tags: [...TAGS],
      components: {
        securitySchemes: SECURITY_SCHEMES,
        examples: PROBLEM_EXAMPLES,
      },
    },
    transform: ({ schema, url, route, ...document }) => {
      const description = route.config?.description ?? BY_PATH[url];
      if (description === undefined) return { schema: { ...schema, hide: true }, url };
      return { schema: describeRoute(description, schemasOf(document)), url };
    },
  });
  let document: string | undefined;
  app.get('/openapi.json', { config: { operation: 'get-openapi', quiet: true } }, async (_request, reply) => {
    document ??= JSON.stringify(app.swagger());
    return reply.type(JSON_TYPE).send(document);
  });
}

/** Where schemas that are referred to go. */
function schemasOf(document: object): Schemas {
  const { openapiObject } = document as { openapiObject: { components: { schemas: Schemas } } };
  return openapiObject.components.schemas;
}
