import type { FastifyInstance } from 'fastify';
import type { Store } from '../store/store.js';

export function healthRoutes(app: FastifyInstance, store: Store): void {
  app.get('/healthz', { config: { operation: 'healthz', quiet: true } }, async () => ({ status: 'ok' }));
  app.get('/readyz', { config: { operation: 'readyz', quiet: true } }, async (request, reply) => {
    try {
      await store.check();
      return { status: 'ready' };
    } catch (error) {
      request.log.error({ err: error, id: request.id }, 'the store does not answer');
      return reply.code(503).send({ status: 'unavailable', reason: 'The database does not answer.' });
    }
  });
}
