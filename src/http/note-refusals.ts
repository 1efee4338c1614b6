import type { FastifyInstance } from 'fastify';
import { asRefusal } from './error-replies.js';
import type { RejectionLog } from './rejection-log.js';

/** Refusals of whole requests; those of records are noted by the operations themselves. */
export function noteRefusals(app: FastifyInstance, rejections: RejectionLog): void {
  app.decorateRequest('isDryRun', false);
  app.addHook('onError', async (request, _reply, error) => {
    if (!request.routeOptions.config.syncs || request.isDryRun) return;
    const refusal = asRefusal(error);
    if (refusal === undefined) return;
    rejections.note(request, { status: refusal.status, problem: refusal.message });
  });
}
