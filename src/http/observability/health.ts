import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ThreadHangs } from '../../store/errors.js';
import type { Store } from '../../store/store.js';
import type { HttpConnections } from '../connection/http-connections.js';
import { lateWarnings } from '../runs/late-sources.js';
import type { DiskWatch } from './disk-watch.js';
import { PROBES } from './probes.js';
import { webhookWarnings } from './webhook-warnings.js';

interface HealthParts {
  readonly store: Store;
  readonly clock: () => number;
  readonly disk: DiskWatch;
  readonly connections: HttpConnections;
}

export function healthRoutes(app: FastifyInstance, parts: HealthParts): void {
  const { store, clock, disk, connections } = parts;
  app.get(
    '/healthz',
    { config: { operation: 'healthz', quiet: true, description: PROBES.healthz } },
    async () => ({ status: 'ok' }),
  );
  app.get(
    '/readyz',
    { config: { operation: 'readyz', quiet: true, description: PROBES.readyz } },
    async (request, reply) => {
      const reason = connections.isStopping ? STOPPING : await storeProblem(store, request);
      if (reason !== undefined) return reply.code(503).send({ status: 'unavailable', reason });
      // Still ready: a load balancer that removes a server that cannot write removes its reads, too.
      const warnings = [
        ...(await disk.warnings()),
        ...(await lateWarnings(store, clock())),
        ...(await webhookWarnings(store)),
      ];
      return { status: 'ready', ...(warnings.length > 0 && { warnings }) };
    },
  );
}

/** Load balancers then use other servers; requests that still arrive here are served. */
const STOPPING = 'The service is stopping.';

/** Why the database cannot be used, or `undefined`; the log has the details. */
export async function storeProblem(store: Store, { log, id }: FastifyRequest): Promise<string | undefined> {
  try {
    await store.check();
    return undefined;
  } catch (error) {
    log.error({ err: error, id }, 'the store does not answer');
    return error instanceof ThreadHangs ? error.message : 'The database does not answer.';
  }
}
