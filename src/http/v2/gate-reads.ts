import type { FastifyInstance, FastifyRequest } from 'fastify';
import { refusals } from '../refusal.js';

/** Enough for a database server to be busy with; SQLite reads one after the other anyway. */
const MAX_READS = 4;
/** Of a tenant. A caller may send any number on one connection without waiting for an answer. */
const MAX_WAITING = 1_000;

/**
 * Lets so many reads work at a time, and the others wait: each may hold a page of two megabytes, several times over,
 * until its answer is written. Between two of them the event loop has its turn, so that writes do not wait for them all.
 * Tenants take turns, so that one who asks for a lot waits for himself.
 */
export function gateReads(app: FastifyInstance, maxReads = MAX_READS, maxWaiting = MAX_WAITING): void {
  const waiting = new Map<number, (() => void)[]>();
  const leaving = new WeakMap<FastifyRequest, () => void>();
  let reading = 0;
  const leave = () => {
    reading -= 1;
    const [turn] = waiting;
    if (turn === undefined) return;
    const [tenantId, queue] = turn;
    const next = queue.shift() as () => void;
    waiting.delete(tenantId);
    if (queue.length > 0) waiting.set(tenantId, queue);
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
      done();
    };
    if (reading < maxReads) {
      reading += 1;
      enter();
    } else {
      const tenantId = request.principal?.tenant.id ?? 0;
      const queue = waiting.get(tenantId);
      if (queue === undefined) waiting.set(tenantId, [enter]);
      else if (queue.length < maxWaiting) queue.push(enter);
      else done(refusals.tooManyReads());
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
