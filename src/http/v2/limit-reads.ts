import type { FastifyInstance, FastifyRequest } from 'fastify';
import { RoundRobinQueue } from '../../domain/round-robin-queue.js';
import { httpError } from '../errors.js';

/** Tenant id of requests that need no key. */
const ANONYMOUS = 0;
/** Enough to keep a database server busy; SQLite runs reads one after another anyway. */
const MAX_READS = 4;
/** Enough to share commits. Edits wait for these, so they do not take the place of reads. */
const MAX_EDITS = 16;
/** Waiting requests per tenant. */
const MAX_WAITING = 1_000;

interface Limit {
  readonly applies: (request: FastifyRequest) => boolean;
  readonly max: number;
  readonly maxWaiting: number;
  /** The error while the queue of the tenant is full. */
  readonly code: 'too_many_reads' | 'write_queue_full';
}

/** Limits concurrent reads of /api/v2, of which each may hold several copies of a page of half a megabyte. */
export function limitReads(app: FastifyInstance, max = MAX_READS, maxWaiting = MAX_WAITING): void {
  limitConcurrency(app, { applies: isRead, max, maxWaiting, code: 'too_many_reads' });
}

/** Limits concurrent edits of single accounts, which hold an account of any size until it is stored. */
export function limitEdits(app: FastifyInstance, max = MAX_EDITS, maxWaiting = MAX_WAITING): void {
  const applies = ({ routeOptions }: FastifyRequest) => routeOptions.config.operation === 'patch-account';
  limitConcurrency(app, { applies, max, maxWaiting, code: 'write_queue_full' });
}

/**
 * A semaphore with a fair queue. Without a limit, what requests hold until their responses are written would fill the
 * memory.
 *
 *   preHandler ─▶ fewer than `max`? ──yes──▶ handler ──▶ onSend, onError or `close`: release, start the next
 *                      │ no
 *                 queue of the tenant, served round-robin; 503 if it is full
 *
 * Invariants: every started request is released exactly once, also if the client disconnects; one turn of the event loop
 * passes between two of them, so that others are not delayed by a full queue.
 */
function limitConcurrency(app: FastifyInstance, { applies, max, maxWaiting, code }: Limit): void {
  const waiting = new RoundRobinQueue<() => void>();
  const releases = new WeakMap<FastifyRequest, () => void>();
  let running = 0;
  const release = () => {
    running -= 1;
    const next = waiting.shift();
    if (next === undefined) return;
    running += 1;
    setImmediate(next);
  };
  app.addHook('preHandler', (request, reply, done) => {
    if (!applies(request)) return done();
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
    if (running < max) {
      running += 1;
      start();
    } else {
      const tenantId = request.principal?.tenant.id ?? ANONYMOUS;
      if (waiting.lengthOf(tenantId) < maxWaiting) waiting.push(tenantId, start);
      else done(httpError(code));
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

function isRead({ method, headers, routeOptions }: FastifyRequest): boolean {
  const { operation } = routeOptions.config;
  if (!['GET', 'HEAD'].includes(method) || OF_PROVIDER.has(operation)) return false;
  // A stream stays open and reads rarely. Other operations ignore this Accept header and return a page.
  return operation !== 'get-changes' || !(headers.accept ?? '').includes('text/event-stream');
}
