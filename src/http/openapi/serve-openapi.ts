import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { VERSION } from '../../version.js';
import { CONSOLE_HEADER, SESSION_COOKIE } from '../auth/sessions.js';
import { JSON_TYPE } from '../json-type.js';
import { describeRoute, type Schemas } from './describe-route.js';
import type { Description, Example } from './description.js';

const ABOUT = `Keeps the accounts of a customer-success platform in step with the systems they come from.

Send \`Authorization: Bearer <key>\`. A key belongs to one tenant and has scopes: \`sync\` stores accounts, \`read\`
reads them, \`admin\` changes settings. Every response has the id of its request in \`X-Request-Id\`. Send your own id,
of 1 to 64 letters, digits and \`._:-\`, to find the request again. Timestamps are UTC with milliseconds. A page of a
listing may be shorter than \`limit\`: only \`next: null\` marks the last page.`;

const SECURITY_SCHEMES = {
  key: { type: 'http', scheme: 'bearer', description: 'An API key, `acs_…`' },
  session: { type: 'apiKey', in: 'cookie', name: SESSION_COOKIE, description: 'Set by `sign-in`' },
  console: { type: 'apiKey', in: 'header', name: CONSOLE_HEADER, description: 'Always `1`' },
} as const;

const DOCUMENT: Description = {
  id: 'get-openapi',
  tag: 'Operations',
  summary: 'Read this document',
  responses: {
    200: {
      description: 'The OpenAPI 3.1 document.',
      schema: Type.Object({ openapi: Type.String() }, { additionalProperties: true }),
    },
  },
};

/** `GET /openapi.json`: describes every route that is registered after this call. It is built at the first request. */
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

/** The part of the document that references point into. */
function schemasOf(document: object): Schemas {
  const { openapiObject } = document as { openapiObject: { components: { schemas: Schemas } } };
  return openapiObject.components.schemas;
}

/** In the order of the page: the contract first, then by task. */
const TAGS = [
  {
    name: 'Contract',
    description: 'Create or update accounts by the contract, whose response bytes are fixed.',
  },
  { name: 'Accounts', description: 'Read, import and erase accounts.' },
  { name: 'Hierarchy', description: 'Read parents, children and subtrees of accounts.' },
  { name: 'Changes', description: 'Read histories, the feed of all changes, rejections and statistics.' },
  { name: 'Schema', description: 'Declare the attributes of accounts and their types.' },
  { name: 'Settings', description: 'Read and change the rules of a tenant, and the audit log of changes.' },
  { name: 'Keys', description: 'Create, rotate and revoke API keys.' },
  {
    name: 'Sessions',
    description: 'Sign a browser in, with a password or a key, so that no page has to keep either.',
  },
  { name: 'Users', description: 'Invite people to a tenant, and change what they may do.' },
  { name: 'Links', description: 'Use a link that invites, or allows to set a new password.' },
  { name: 'Operations', description: 'Monitor the service. Only `get-status` needs a key.' },
] as const;

/** Allows resources and requests of this origin only; Swagger UI sets inline styles, which needs the exception. */
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

/** Hides the top bar, whose only function is to open another document. */
const STYLE = '.swagger-ui .topbar { display: none } .swagger-ui .info { margin: 24px 0 }';

/** `GET /docs`: the document as a page that can also send requests. */
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
