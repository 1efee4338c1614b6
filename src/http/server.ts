import type { Server } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import cors from '@fastify/cors';
import { type FastifyInstance, fastify } from 'fastify';
import type { Store } from '../store/store.js';
import { ArrivingBodies, heldBytesFor } from './arriving-bodies.js';
import { type Access, admitKey, authenticate, readmit } from './authenticate.js';
import { boundAnswers } from './bound-answers.js';
import { Connections } from './connections.js';
import { corsOptions } from './cors-options.js';
import { discardUnread } from './discard-body.js';
import { DiskWatch } from './disk-watch.js';
import { replyToConnect, replyToError, replyToExpectation } from './error-replies.js';
import { healthRoutes } from './health.js';
import { byKey, byKeyOrSession } from './identify.js';
import { KeyUses } from './key-uses.js';
import { type ShareReports, serveMetrics } from './metrics.js';
import { noteRefusals } from './note-refusals.js';
import { serveDocsPage } from './openapi/serve-docs-page.js';
import { serveDocument } from './openapi/serve-document.js';
import { Principals } from './principals.js';
import { RateLimit } from './rate-limit.js';
import { acceptJsonBytes } from './raw-body.js';
import { RejectionLog } from './rejection-log.js';
import { headRefusal } from './request-head.js';
import { logRequests } from './request-log.js';
import { serveConsole } from './serve-console.js';
import { type OptionParts, serverOptions } from './server-options.js';
import { BODY_TIMEOUT_MS, endSlowBodies } from './slow-bodies.js';
import './request-context.js';
import { STANDARD_HEADERS } from './standard-headers.js';
import { refuseUnknownPaths } from './unknown-paths.js';
import { postAccount } from './v1_1/post-account.js';
import { markDeprecated, postAccounts } from './v1_1/post-accounts.js';
import { ChangeStreams } from './v2/change-streams.js';
import { v2 } from './v2/v2.js';

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
  await serveDocument(app);
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
    { onRequest: [maySyncByKey], config: { operation: 'upsert-account', syncs: true } },
    postAccount(store, clock, rejections),
  );
  app.post(
    '/api/v1_1/accounts',
    { onRequest: [markDeprecated, maySyncByKey], config: { operation: 'upsert-batch', syncs: true } },
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
