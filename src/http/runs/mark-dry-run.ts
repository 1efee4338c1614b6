import type { onRequestHookHandler } from 'fastify';

/** An `onRequest` hook for operations with the query parameter `dry_run`, before `assign`. */
export const markDryRun: onRequestHookHandler = (request, _reply, done) => {
  request.isDryRun = (request.query as { dry_run?: unknown }).dry_run === 'true';
  done();
};
