import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';

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
