import type { Server as HttpsServer } from 'node:https';
import cors from '@fastify/cors';
import { type FastifyInstance, fastify } from 'fastify';
import type { DeliveryCounts } from '../delivery/delivery-thread.js';
import { HostPolicy } from '../delivery/host-policy.js';
import { MessageSender } from '../delivery/post-message.js';
import type { Store } from '../store/store.js';
import type { Access } from './auth/access.js';
import { authenticate, byKey, byKeyOrSession, reauthorize } from './auth/authenticate.js';
import { LastUses } from './auth/last-uses.js';
import { Principals } from './auth/principals.js';
import { RateLimit } from './auth/rate-limit.js';
import { SignIn } from './auth/sign-in.js';
import { drainUnread } from './body/drain-body.js';
import { useJsonBodyParser } from './body/json-body-parser.js';
import { RequestMemory, requestMemoryFor } from './body/request-memory.js';
import { BODY_TIMEOUT_MS, enforceBodyTimeout } from './connection/body-timeout.js';
import { HttpConnections } from './connection/http-connections.js';
import { checkRequestHead, rejectUnknownPaths } from './connection/request-head.js';
import { limitResponseMemory } from './connection/response-memory.js';
import { serveConsole } from './console/serve-console.js';
import { DiskWatch } from './observability/disk-watch.js';
import { healthRoutes } from './observability/health.js';
import { type ShareReports, serveMetrics } from './observability/metrics.js';
import { logRequests } from './observability/request-log.js';
import { serveDocsPage, serveOpenApi } from './openapi/serve-openapi.js';
import { replyToError, STANDARD_HEADERS } from './replies/error-replies.js';
import { RejectionLog, recordRejectedRequests } from './replies/rejection-log.js';
import { RunTracker } from './runs/run-tracker.js';
import { corsOptions, type OptionParts, serverOptions } from './server-options.js';
import { BATCH, SINGLE } from './v1_1/descriptions.js';
import { PROBLEM_EXAMPLES } from './v2/operation.js';
import './request-context.js';
import { markDeprecated, postAccount } from './v1_1/post-account.js';
import { ChangeStreams } from './v2/changes/change-streams.js';
import { v2Routes } from './v2/routes.js';

export interface ServerParts extends OptionParts {
  readonly store: Store;
  readonly clock: () => number;
  /** Monotonic milliseconds, unaffected by changes of the system clock. */
  readonly elapsed?: () => number;
  readonly bodyTimeoutMs?: number;
  /** How long the server still accepts requests after it begins to stop. */
  readonly graceMs?: number;
  /** Bytes of request bodies held in memory; the same limit applies separately to responses. */
  readonly maxHeldBytes?: number;
  /** What this process has delivered to webhooks. */
  readonly deliveryCounts?: DeliveryCounts;
  /** Set if several processes serve on one port. */
  readonly shareReports?: ShareReports;
}

/**
 * Builds the HTTP server. All plugins and routes are registered here, and hooks run in the order of registration.
 *
 *   socket        HttpConnections: one request per connection at a time; body timeout starts
 *     │
 *   onRequest     standard headers and head checks → CORS → 404/405 → guard: authenticate, rate limit → find the run
 *     │
 *   body          media type → RequestMemory; below /api/v2 also the parser
 *     │           (an import reads its own: v2/import/import-reader.ts)
 *     │
 *   validation    /api/v2: reject NUL, check the schema → limit concurrent reads (preHandler)
 *     │
 *   handler  ──error──▶  onError: record the rejection  →  replyToError: turns a thrown error into a response
 *     │                                                      │
 *   onSend   ◀───────────────────────────────────────────────┘  limit response memory, drain an unread body
 *     │
 *   onResponse    request log, metrics
 */
export async function buildServer(parts: ServerParts): Promise<FastifyInstance> {
  const { config, store, clock, certificate, bodyTimeoutMs = BODY_TIMEOUT_MS, graceMs = 0 } = parts;
  const { elapsed = () => performance.now() } = parts;
  const connections = new HttpConnections(graceMs);
  const app: FastifyInstance = fastify(serverOptions(parts, connections));
  if (certificate !== undefined) {
    certificate.attach(app.server as HttpsServer);
    app.addHook('onClose', async () => certificate.close());
  }
  // First, so that every other `preClose` hook runs after the grace period.
  connections.attach(app);
  enforceBodyTimeout(app, bodyTimeoutMs);
  limitResponseMemory(app, parts.maxHeldBytes);
  drainUnread(app);
  app.setErrorHandler(replyToError);
  app.decorateRequest('principal', null);
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(STANDARD_HEADERS).header('x-request-id', request.id);
    done(checkRequestHead(request.raw, request.host));
  });
  logRequests(app);
  if (config.corsOrigins.length > 0) await app.register(cors, corsOptions(config.corsOrigins));
  rejectUnknownPaths(app);
  await serveOpenApi(app, PROBLEM_EXAMPLES);
  await serveDocsPage(app);
  await serveConsole(app);

  const lastUses = new LastUses(store, app.log);
  app.addHook('onClose', () => lastUses.close());
  const principals = new Principals(store.directory);
  const rateLimit =
    config.rateLimit === undefined ? undefined : new RateLimit(store, config.rateLimit, app.log);
  const identify = byKeyOrSession(principals);
  const guard = (access: Access, by = identify) =>
    authenticate({ identify: by, lastUses, clock, rateLimit, access });
  const guards = {
    sync: guard('sync'),
    read: guard('read'),
    edit: guard('edit'),
    admin: guard('admin'),
    any: guard('any'),
    none: guard('none'),
  };
  const syncByKey = guard('sync', byKey(principals));
  const rejections = new RejectionLog({ store, log: app.log, clock });
  app.addHook('onClose', () => rejections.close());
  recordRejectedRequests(app, rejections);

  const runs = new RunTracker({ store, log: app.log, clock, silenceMs: config.runSilenceMinutes * 60_000 });
  runs.attach(app);

  const disk = new DiskWatch(store, app.log);
  app.addHook('onClose', async () => disk.close());
  healthRoutes(app, { store, clock, disk, connections });
  serveMetrics(app, parts);
  const requestMemory = new RequestMemory(parts.maxHeldBytes ?? requestMemoryFor(config.maxBodyBytes));
  useJsonBodyParser(app, requestMemory);
  app.post(
    '/api/v1_1/account',
    {
      onRequest: [syncByKey, runs.assign],
      config: { operation: 'upsert-account', syncs: true, description: SINGLE },
    },
    postAccount('account', { store, clock, rejections, runs }),
  );
  app.post(
    '/api/v1_1/accounts',
    {
      onRequest: [markDeprecated, syncByKey, runs.assign],
      config: { operation: 'upsert-batch', syncs: true, description: BATCH },
    },
    postAccount('batch', { store, clock, rejections, runs }),
  );
  const hostPolicy = new HostPolicy(config.webhookPrivateHosts);
  const messageSender = new MessageSender(hostPolicy);
  app.addHook('onClose', async () => messageSender.close());
  const streams = new ChangeStreams({ store, reauthorize: reauthorize(identify, clock) });
  app.addHook('preClose', async () => streams.close());
  const v2Parts = {
    config,
    store,
    clock,
    rejections,
    runs,
    disk,
    hostPolicy,
    messageSender,
    guards,
    principals,
    signIn: new SignIn({ config, store, principals, lastUses, clock, rateLimit, elapsed }),
    reauthorize: reauthorize(identify, clock),
    refresh: () => principals.refresh(),
  };
  await app.register(async (scope) => v2Routes(scope, v2Parts, streams, requestMemory), {
    prefix: '/api/v2',
  });
  return app;
}
