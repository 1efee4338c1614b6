import type { FastifyInstance } from 'fastify';
import { redact } from '../../domain/redact.js';

/** Logs one line per request, without keys, headers or bodies. */
export function logRequests(app: FastifyInstance): void {
  app.decorateRequest('records', 0);
  app.decorateRequest('rejectedRecords', 0);
  app.addHook('onResponse', (request, reply, done) => {
    const { operation, quiet } = request.routeOptions.config;
    app.log[levelOf(reply.statusCode, quiet)](
      {
        id: request.id,
        tenant: request.principal?.tenant.name,
        [request.principal?.user === undefined ? 'key' : 'user']: request.principal?.senderId,
        operation: operation ?? `${request.method} ${redact(request.url.split('?', 1)[0] ?? '')}`,
        status: reply.statusCode,
        records: request.records,
        ms: Math.round(reply.elapsedTime * 1000) / 1000,
      },
      'request',
    );
    done();
  });
}

function levelOf(status: number, quiet = false) {
  // Overload ends without intervention; every other server failure needs an operator.
  if (status === 503) return 'warn';
  if (status >= 500) return 'error';
  return quiet ? 'debug' : 'info';
}
