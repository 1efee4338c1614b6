import type { FastifyInstance } from 'fastify';
import { refusals } from './refusal.js';

/** 404, or 405 where the path has other methods: before any body is read, and without a key. */
export function refuseUnknownPaths(app: FastifyInstance): void {
  const methods = new Map<string, string[]>();
  app.addHook('onRoute', ({ url, method }) => {
    methods.set(url, [...(methods.get(url) ?? []), ...[method].flat()]);
  });
  app.addHook('onRequest', (request, _reply, done) => {
    if (!request.is404) return done();
    const allowed = methods.get(request.url.split('?', 1)[0] ?? '');
    done(allowed === undefined ? refusals.notFound() : refusals.wrongMethod(allowed));
  });
}
