import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ANONYMOUS, RoundRobinQueue } from '../body/fair-scheduler.js';
import { httpError } from '../errors.js';

/** Enough for a database server to be busy with; SQLite reads one after the other anyway. */
const MAX_READS = 4;
/** Of a tenant, each on a connection of its own. */
const MAX_WAITING = 1_000;

/**
 * Lets so many reads work at a time, and the others wait: each may hold a page of half a megabyte, several times over,
 * until its answer is written. Between two of them the event loop has its turn, so that writes do not wait for them all.
 * Tenants take turns.
 */
export function limitReads(app: FastifyInstance, maxReads = MAX_READS, maxWaiting = MAX_WAITING): void {
  const waiting = new RoundRobinQueue<() => void>();
  const leaving = new WeakMap<FastifyRequest, () => void>();
  let reading = 0;
  const leave = () => {
    reading -= 1;
    const next = waiting.shift();
    if (next === undefined) return;
    reading += 1;
    setImmediate(next);
  };
  app.addHook('preHandler', (request, reply, done) => {
    if (!['GET', 'HEAD'].includes(request.method) || isStream(request)) return done();
    const enter = () => {
      let isInside = true;
      const leaveOnce = () => {
        if (isInside) leave();
        isInside = false;
      };
      leaving.set(request, leaveOnce);
      // Where it breaks off before it is answered.
      reply.raw.once('close', leaveOnce);
      done(reply.raw.destroyed ? httpError('request_aborted') : undefined);
    };
    if (reading < maxReads) {
      reading += 1;
      enter();
    } else {
      const tenantId = request.principal?.tenant.id ?? ANONYMOUS;
      if (waiting.lengthOf(tenantId) < maxWaiting) waiting.push(tenantId, enter);
      else done(httpError('too_many_reads'));
    }
  });
  // At once: it may take long to answer whoever sends a body nobody asked for.
  app.addHook('onError', (request, _reply, _error, done) => {
    leaving.get(request)?.();
    done();
  });
  app.addHook('onSend', (request, _reply, payload, done) => {
    leaving.get(request)?.();
    done(null, payload);
  });
}

/** It stays open, and reads a little now and then. Whoever asks for one elsewhere gets a page. */
function isStream({ headers, routeOptions }: FastifyRequest): boolean {
  const { operation } = routeOptions.config;
  return operation === 'get-changes' && (headers.accept ?? '').includes('text/event-stream');
}
