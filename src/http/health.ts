import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Store } from '../store/store.js';
import type { DiskWatch } from './disk-watch.js';

export function healthRoutes(app: FastifyInstance, store: Store, disk: DiskWatch): void {
  app.get('/healthz', { config: { operation: 'healthz', quiet: true } }, async () => ({ status: 'ok' }));
  app.get('/readyz', { config: { operation: 'readyz', quiet: true } }, async (request, reply) => {
    const reason = await storeProblem(store, request);
    if (reason !== undefined) return reply.code(503).send({ status: 'unavailable', reason });
    // Ready all the same: whoever takes away a server that cannot write takes away reading, too.
    const warnings = await disk.warnings();
    return { status: 'ready', ...(warnings.length > 0 && { warnings }) };
  });
}

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
