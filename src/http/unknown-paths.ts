import type { FastifyInstance } from 'fastify';
import { refusals } from './refusal.js';

/** 404, or 405 where the path has other methods: before any body is read, and without a key. */
export function refuseUnknownPaths(app: FastifyInstance): void {
  const routes: { readonly form: RegExp; readonly methods: readonly string[] }[] = [];
  app.addHook('onRoute', ({ url, method }) => {
    const form = url
      .replaceAll('.', '\\.')
      .replace(/:[^/]+/g, '[^/]+')
      .replace('*', '.*');
    routes.push({ form: new RegExp(`^${form}$`), methods: [method].flat() });
  });
  app.addHook('onRequest', (request, _reply, done) => {
    if (!request.is404) return done();
    const path = request.url.split('?', 1)[0] ?? '';
    const allowed = routes.filter(({ form }) => form.test(path)).flatMap(({ methods }) => methods);
    done(allowed.length === 0 ? refusals.notFound() : refusals.wrongMethod([...new Set(allowed)]));
  });
  // Files of a page that are not there.
  app.setNotFoundHandler(() => {
    throw refusals.notFound();
  });
}
