import type { FastifyInstance, FastifyRequest } from 'fastify';

/** About as many as a database has connections for. */
const MAX_READS = 8;

/**
 * Lets so many reads work at a time, and the others wait: each may hold a page of two megabytes, several times over,
 * until its answer is written. Between two of them the event loop has its turn, so that writes do not wait for them all.
 */
export function gateReads(app: FastifyInstance, maxReads: number = MAX_READS): void {
  const waiting: (() => void)[] = [];
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
      done();
    };
    if (reading < maxReads) {
      reading += 1;
      enter();
    } else {
      waiting.push(enter);
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
