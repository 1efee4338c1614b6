import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { VERSION } from '../../version.js';
import { CONSOLE_HEADER, SESSION_COOKIE } from '../auth/sessions.js';
import { JSON_TYPE } from '../body/parse-json.js';
import { describeRoute, type Schemas } from './describe-route.js';
import type { Description, Example } from './description.js';

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

const DOCUMENT: Description = {
  id: 'get-openapi',
  tag: 'Operations',
  summary: 'Read this document',
  answers: {
    200: {
      description: 'OpenAPI 3.1.',
      schema: Type.Object({ openapi: Type.String() }, { additionalProperties: true }),
    },
  },
};

/** `GET /openapi.json`: what every route after this says of itself. It is put together when it is first asked for. */
export async function serveOpenApi(
  app: FastifyInstance,
  examples: Readonly<Record<string, Example>>,
): Promise<void> {
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
        examples,
      },
    },
    transform: ({ schema, url, route, ...document }) => {
      const description = route.config?.description;
      if (description === undefined) return { schema: { ...schema, hide: true }, url };
      return { schema: describeRoute(description, schemasOf(document)), url };
    },
  });
  let document: string | undefined;
  const config = { operation: 'get-openapi', quiet: true, description: DOCUMENT };
  app.get('/openapi.json', { config }, async (_request, reply) => {
    document ??= JSON.stringify(app.swagger());
    return reply.type(JSON_TYPE).send(document);
  });
}

/** Where schemas that are referred to go. */
function schemasOf(document: object): Schemas {
  const { openapiObject } = document as { openapiObject: { components: { schemas: Schemas } } };
  return openapiObject.components.schemas;
}

export const TAGS = [
  { name: 'Accounts', description: 'Read, import and erase accounts.' },
  { name: 'Hierarchy', description: 'Which account is below which.' },
  { name: 'Changes', description: 'What happened: histories, the feed of all changes, refusals, counts.' },
  { name: 'Schema', description: 'Which attributes accounts have, and of which type.' },
  { name: 'Settings', description: 'What a tenant accepts, and who changed it.' },
  { name: 'Keys', description: 'Who may use the interface.' },
  {
    name: 'Sessions',
    description: 'How a browser signs in with a key, so that no page has to keep it.',
  },
  { name: 'Contract', description: 'The first interface: create or update accounts. Its bytes are fixed.' },
  { name: 'Operations', description: 'For those who run the service. All but `get-status` need no key.' },
] as const;

/** Everything comes from here and goes here; the page sets styles of elements, which needs the exception. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b7285"/>' +
  '<path d="M9 13a7.5 7.5 0 0 1 13-2.5M23 19a7.5 7.5 0 0 1-13 2.5M22.5 6v5h-5M9.5 26v-5h5" fill="none" ' +
  'stroke="#fff" stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round"/></svg>';

/** Its bar only lets one choose another document. */
const STYLE = '.swagger-ui .topbar { display: none } .swagger-ui .info { margin: 24px 0 }';

/** `GET /docs`: the document as a page on which operations can be tried. */
export async function serveDocsPage(app: FastifyInstance): Promise<void> {
  await app.register(async (scope) => {
    scope.addHook('onRoute', (route) => {
      route.config = { ...route.config, operation: 'docs', quiet: true };
    });
    scope.addHook('onRequest', async (_request, reply) => {
      reply.headers({ 'referrer-policy': 'same-origin', 'cross-origin-opener-policy': 'same-origin' });
    });
    await scope.register(swaggerUi, {
      routePrefix: '/docs',
      staticCSP: CONTENT_SECURITY_POLICY,
      logo: { type: 'image/svg+xml', content: ICON },
      theme: {
        title: 'account-sync',
        favicon: [{ filename: 'icon.svg', rel: 'icon', type: 'image/svg+xml', sizes: 'any', content: ICON }],
        css: [{ filename: 'page.css', content: STYLE }],
      },
      uiConfig: {
        deepLinking: true,
        displayRequestDuration: true,
        docExpansion: 'list',
        filter: true,
      },
    });
  });
}
