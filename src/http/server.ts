import type { Server } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import cors from '@fastify/cors';
import { type FastifyInstance, fastify } from 'fastify';
import type { Store } from '../store/store.js';
import { type Access, admitKey, authenticate, byKey, byKeyOrSession, readmit } from './auth/authenticate.js';
import { KeyUses } from './auth/key-uses.js';
import { Principals } from './auth/principals.js';
import { RateLimit } from './auth/rate-limit.js';
import { acceptJsonBytes } from './body/json-body-parser.js';
import { ArrivingBodies, heldBytesFor } from './body/request-memory.js';
import { discardUnread } from './body/throttle-body.js';
import { BODY_TIMEOUT_MS, endSlowBodies } from './connection/body-timeout.js';
import { Connections } from './connection/http-connections.js';
import { headRefusal } from './connection/request-head.js';
import { boundAnswers } from './connection/response-memory.js';
import { serveConsole } from './console/serve-console.js';
import { DiskWatch } from './observability/disk-watch.js';
import { healthRoutes } from './observability/health.js';
import { type ShareReports, serveMetrics } from './observability/metrics.js';
import { logRequests } from './observability/request-log.js';
import { serveDocsPage, serveDocument } from './openapi/serve-openapi.js';
import { replyToConnect, replyToError, replyToExpectation } from './replies/error-replies.js';
import { noteRefusals, RejectionLog } from './replies/rejection-log.js';
import { corsOptions, type OptionParts, serverOptions } from './server-options.js';
import { BATCH, SINGLE } from './v1_1/descriptions.js';
import { PROBLEM_EXAMPLES } from './v2/operation.js';
import './request-context.js';
import { refuseUnknownPaths } from './connection/request-head.js';
import { STANDARD_HEADERS } from './replies/error-replies.js';
import { postAccount } from './v1_1/post-account.js';
import { markDeprecated, postAccounts } from './v1_1/post-accounts.js';
import { ChangeStreams } from './v2/changes/change-streams.js';
import { v2 } from './v2/routes.js';

export interface ServerParts extends OptionParts {
  readonly store: Store;
  readonly clock: () => number;
  /** Milliseconds that only pass, while a clock may be set. */
  readonly elapsed?: () => number;
  readonly bodyTimeoutMs?: number;
  /** For how long it goes on taking requests after it was told to stop. */
  readonly graceMs?: number;
  /** Bytes of bodies that arrive, and of answers that are not taken, all together. */
  readonly maxHeldBytes?: number;
  /** Where several processes serve on one port. */
  readonly shareReports?: ShareReports;
}

export async function buildServer(parts: ServerParts): Promise<FastifyInstance> {
  const { config, store, clock, certificate, bodyTimeoutMs = BODY_TIMEOUT_MS, graceMs = 0 } = parts;
  const app: FastifyInstance = fastify(serverOptions(parts));
  if (certificate !== undefined) {
    certificate.keepOn(app.server as HttpsServer);
    app.addHook('onClose', async () => certificate.close());
  }
  answerExpectations(app.server);
  app.server.on('connect', replyToConnect);
  // Before all that is to end after the time of grace.
  const connections = new Connections(app, graceMs);
  endSlowBodies(app, bodyTimeoutMs);
  discardUnread(app);
  boundAnswers(app, parts.maxHeldBytes);
  app.setErrorHandler(replyToError);
  app.decorateRequest('principal', null);
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(STANDARD_HEADERS).header('x-request-id', request.id);
    done(headRefusal(request.raw, request.host));
  });
  logRequests(app);
  if (config.corsOrigins.length > 0) await app.register(cors, corsOptions(config.corsOrigins));
  refuseUnknownPaths(app);
  await serveDocument(app, PROBLEM_EXAMPLES);
  await serveDocsPage(app);
  await serveConsole(app);

  const keyUses = new KeyUses(store, app.log);
  app.addHook('onClose', () => keyUses.close());
  const principals = new Principals(store.directory);
  const rateLimit =
    config.rateLimit === undefined ? undefined : new RateLimit(store, config.rateLimit, app.log);
  const identify = byKeyOrSession(principals);
  const mayUse = (access: Access, by = identify) =>
    authenticate({ identify: by, keyUses, clock, rateLimit, access });
  const may = {
    sync: mayUse('sync'),
    read: mayUse('read'),
    admin: mayUse('admin'),
    any: mayUse('any'),
    none: mayUse('none'),
  };
  const maySyncByKey = mayUse('sync', byKey(principals));
  const rejections = new RejectionLog({ store, log: app.log, clock });
  app.addHook('onClose', () => rejections.close());
  noteRefusals(app, rejections);

  const disk = new DiskWatch(store, app.log);
  app.addHook('onClose', async () => disk.close());
  healthRoutes(app, { store, disk, connections });
  serveMetrics(app, parts);
  const bodies = new ArrivingBodies(parts.maxHeldBytes ?? heldBytesFor(config.maxBodyBytes));
  acceptJsonBytes(app, bodies);
  app.post(
    '/api/v1_1/account',
    {
      onRequest: [maySyncByKey],
      config: { operation: 'upsert-account', syncs: true, description: SINGLE },
    },
    postAccount(store, clock, rejections),
  );
  app.post(
    '/api/v1_1/accounts',
    {
      onRequest: [markDeprecated, maySyncByKey],
      config: { operation: 'upsert-batch', syncs: true, description: BATCH },
    },
    postAccounts(store, clock, config.maxBatch, rejections),
  );
  const streams = new ChangeStreams({ store, readmit: readmit(identify, clock, 'read') });
  app.addHook('preClose', async () => streams.close());
  const v2Parts = {
    config,
    store,
    clock,
    elapsed: parts.elapsed ?? (() => performance.now()),
    rejections,
    disk,
    may,
    admit: admitKey({ principals, keyUses, clock, rateLimit }),
    readmit: readmit(identify, clock, 'sync'),
    refresh: () => principals.refresh(),
  };
  await app.register(async (scope) => v2(scope, v2Parts, streams, bodies), { prefix: '/api/v2' });
  return app;
}

/** `Expect: 100-continue` goes the way of every request, and is answered by `authenticate`; others are refused. */
function answerExpectations(server: Server): void {
  server.on('checkContinue', (request, response) => server.emit('request', request, response));
  server.on('checkExpectation', (_request, response) => replyToExpectation(response));
}
