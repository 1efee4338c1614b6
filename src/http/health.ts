import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Store } from '../store/store.js';
import type { Connections } from './connections.js';

export function healthRoutes(app: FastifyInstance, store: Store, connections: Connections): void {
  app.get('/healthz', { config: { operation: 'healthz', quiet: true } }, async () => ({ status: 'ok' }));
  app.get('/readyz', { config: { operation: 'readyz', quiet: true } }, async (request, reply) => {
    const reason = connections.isStopping ? STOPPING : await storeProblem(store, request);
    return reason === undefined
      ? { status: 'ready' }
      : reply.code(503).send({ status: 'unavailable', reason });
  });
}

/** Load balancers then send their requests elsewhere; those that still come here are served. */
const STOPPING = 'The service is stopping.';

/** Why nothing can be stored or read now, or `undefined`; the log tells more. */
export async function storeProblem(store: Store, { log, id }: FastifyRequest): Promise<string | undefined> {
  try {
    await store.check();
    return undefined;
  } catch (error) {
    log.error({ err: error, id }, 'the store does not answer');
    return 'The database does not answer.';
  }
}
