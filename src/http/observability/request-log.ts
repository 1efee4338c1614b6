import type { FastifyInstance } from 'fastify';
import { redact } from '../../domain/redact.js';

/** One line a request; never a key, a header or a body. */
export function logRequests(app: FastifyInstance): void {
  app.decorateRequest('records', 0);
  app.decorateRequest('refused', 0);
  app.addHook('onResponse', (request, reply, done) => {
    const { operation, quiet } = request.routeOptions.config;
    app.log[levelOf(reply.statusCode, quiet)](
      {
        id: request.id,
        tenant: request.principal?.tenant.name,
        key: request.principal?.keyId,
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
  // Overload passes by itself; every other failure on our side is for somebody to look at.
  if (status === 503) return 'warn';
  if (status >= 500) return 'error';
  return quiet ? 'debug' : 'info';
}
