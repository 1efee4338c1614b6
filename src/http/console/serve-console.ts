import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { PROGRAM_DIRECTORY } from '../../program-directory.js';
import { httpError } from '../errors.js';

const BUILT = fileURLToPath(new URL('console', PROGRAM_DIRECTORY));

/** Allows resources and requests of this origin only. Styles that the page creates need the nonce of the response. */
function contentSecurityPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** `GET /console` and every path below it return the same page, which routes in the browser. */
export async function serveConsole(app: FastifyInstance): Promise<void> {
  const page = readFileSync(join(BUILT, 'index.html'), 'utf8');
  const files = new Set(readdirSync(join(BUILT, 'assets')));
  const config = { operation: 'console', quiet: true };
  await app.register(async (scope) => {
    scope.addHook('onRoute', (route) => {
      route.config = { ...route.config, ...config };
    });
    await scope.register(fastifyStatic, {
      root: join(BUILT, 'assets'),
      serve: false,
      preCompressed: true,
      // File names contain a hash of the content.
      immutable: true,
      maxAge: '1y',
      setHeaders: (reply) => reply.setHeader('vary', 'accept-encoding'),
    });
    scope.get<{ Params: { '*': string } }>('/console/assets/*', (request, reply) => {
      const name = request.params['*'];
      if (!files.has(name)) throw httpError('path_not_found');
      return reply.sendFile(name);
    });
    scope.get('/console', (_request, reply) => sendPage(reply, page));
    scope.get('/console/*', (_request, reply) => sendPage(reply, page));
    // A person who opens the address without a path wants the console.
    scope.get('/', (_request, reply) => reply.redirect('/console'));
  });
}

function sendPage(reply: FastifyReply, page: string): FastifyReply {
  const nonce = randomBytes(16).toString('base64');
  return reply
    .headers({
      'content-security-policy': contentSecurityPolicy(nonce),
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    })
    .type('text/html; charset=utf-8')
    .send(page.replace('{{nonce}}', nonce));
}
