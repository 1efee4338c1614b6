import type { FastifyInstance, FastifyRequest } from 'fastify';
import { RoundRobinQueue } from '../../domain/round-robin-queue.js';
import { httpError } from '../errors.js';

/** Tenant id of requests that need no key. */
const ANONYMOUS = 0;
/** Enough to keep a database server busy; SQLite runs reads one after another anyway. */
const MAX_READS = 4;
/** Waiting reads per tenant. */
const MAX_WAITING = 1_000;

/**
 * Limits concurrent reads of /api/v2: a semaphore with a fair queue. Each read may hold several copies of a page of
 * half a megabyte until its response is written, so unlimited reads would fill the memory.
 *
 *   preHandler ─▶ fewer than 4 reads? ──yes──▶ handler ──▶ onSend, onError or `close`: release, start the next
 *                      │ no
 *                 queue of the tenant, served round-robin; 503 if it is full
 *
 * Invariants: every started read is released exactly once, also if the client disconnects; one turn of the event loop
 * passes between two reads, so that writes are not delayed by a full queue.
 */
export function limitReads(app: FastifyInstance, maxReads = MAX_READS, maxWaiting = MAX_WAITING): void {
  const waiting = new RoundRobinQueue<() => void>();
  const releases = new WeakMap<FastifyRequest, () => void>();
  let reading = 0;
  const release = () => {
    reading -= 1;
    const next = waiting.shift();
    if (next === undefined) return;
    reading += 1;
    setImmediate(next);
  };
  app.addHook('preHandler', (request, reply, done) => {
    if (!['GET', 'HEAD'].includes(request.method) || isUnlimited(request)) return done();
    const start = () => {
      let isHeld = true;
      const releaseOnce = () => {
        if (isHeld) release();
        isHeld = false;
      };
      releases.set(request, releaseOnce);
      // If the client disconnects before the response.
      reply.raw.once('close', releaseOnce);
      done(reply.raw.destroyed ? httpError('request_aborted') : undefined);
    };
    if (reading < maxReads) {
      reading += 1;
      start();
    } else {
      const tenantId = request.principal?.tenant.id ?? ANONYMOUS;
      if (waiting.lengthOf(tenantId) < maxWaiting) waiting.push(tenantId, start);
      else done(httpError('too_many_reads'));
    }
  });
  // Not only in `onSend`: the error handler may first drain a request body, which takes long.
  app.addHook('onError', (request, _reply, _error, done) => {
    releases.get(request)?.();
    done();
  });
  app.addHook('onSend', (request, _reply, payload, done) => {
    releases.get(request)?.();
    done(null, payload);
  });
}

/** Operations that wait for the OpenID provider, and read one user at most. */
const OF_PROVIDER: ReadonlySet<unknown> = new Set(['start-oidc', 'finish-oidc']);

function isUnlimited({ headers, routeOptions }: FastifyRequest): boolean {
  const { operation } = routeOptions.config;
  if (OF_PROVIDER.has(operation)) return true;
  // A stream stays open and reads rarely. Other operations ignore this Accept header and return a page.
  return operation === 'get-changes' && (headers.accept ?? '').includes('text/event-stream');
}
