import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import { type FastifyBaseLogger, LogController } from 'fastify';
import type { Config } from '../config.js';
import { holdsKey } from '../domain/api-key.js';
import type { BodyThrottle } from './body/throttle-body.js';
import type { HttpConnections } from './connection/http-connections.js';
import { originForm } from './connection/request-head.js';
import type { ServingCertificate } from './connection/serving-certificate.js';
import { errorHandler } from './replies/error-replies.js';
import { replyToClientError } from './replies/socket-replies.js';

/** The headers of a request have to arrive within this time; `enforceBodyTimeout` sees to its body. */
const HEADERS_TIMEOUT_MS = 60_000;
/** Longer than a load balancer's, so that it never sends a request into a connection we just closed. */
const KEEP_ALIVE_TIMEOUT_MS = 75_000;
/** A caller that neither sends anything nor takes any of its answer for this long is gone, or might as well be. */
const STALLED_TIMEOUT_MS = 120_000;

export interface OptionParts {
  readonly config: Config;
  readonly logger: FastifyBaseLogger;
  /** Where it speaks HTTPS. */
  readonly certificate?: ServingCertificate | undefined;
  readonly stalledTimeoutMs?: number;
}

interface ServerMechanisms {
  readonly connections: HttpConnections;
  readonly throttle: BodyThrottle;
}

/** Options of Fastify, and of the Node server below it. */
export function serverOptions(parts: OptionParts, { connections, throttle }: ServerMechanisms) {
  const { config, logger } = parts;
  return {
    loggerInstance: logger,
    // We log one line per request with its id: no child logger for each.
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: (parent: FastifyBaseLogger) => parent,
    genReqId: requestId,
    rewriteUrl: originForm,
    // An account_id in a path, percent-encoded.
    routerOptions: { maxParamLength: 2_500 },
    bodyLimit: config.maxBodyBytes,
    trustProxy: typeof config.trustProxy === 'boolean' ? config.trustProxy : [...config.trustProxy],
    // A request that arrives during shutdown is served, not dropped.
    return503OnClosing: false,
    serverFactory: (handler: RequestListener) => createNodeServer(parts, connections.serving(handler)),
    clientErrorHandler: (error: NodeJS.ErrnoException, socket: Socket) =>
      replyToClientError(error, socket, connections.currentResponse(socket)),
    frameworkErrors: errorHandler(throttle),
  };
}

function createNodeServer(
  { certificate, stalledTimeoutMs = STALLED_TIMEOUT_MS }: OptionParts,
  listener: RequestListener,
): Server {
  const options = {
    headersTimeout: HEADERS_TIMEOUT_MS,
    // Node's own answer to a missing Host would have no body.
    requireHostHeader: false,
    // Node would drop headers that are sent twice, and a proxy before us may have used the one it drops.
    joinDuplicateHeaders: true,
  };
  const server =
    certificate === undefined
      ? createServer(options, listener)
      : createHttpsServer({ ...options, ...certificate.serverOptions }, listener);
  server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT_MS;
  // `enforceBodyTimeout` does this, with exceptions that Node does not know.
  server.requestTimeout = 0;
  server.setTimeout(stalledTimeoutMs);
  return server;
}

/** The caller's own id where it has a harmless form, so that both sides can find a request by one name. */
function requestId(request: IncomingMessage): string {
  const sent = request.headers['x-request-id'];
  // A key would fit, too, and stand in logs and histories for ever.
  const isHarmless = typeof sent === 'string' && /^[\w.:-]{1,64}$/.test(sent) && !holdsKey(sent);
  return isHarmless ? sent : randomUUID();
}

/** Which origins may ask, with what, and what of the answers they see. */
export function corsOptions(origins: readonly string[]) {
  return {
    origin: origins.includes('*') ? '*' : [...origins],
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    // Neither credentials nor the header of the console: other origins have keys, and never sessions.
    allowedHeaders: ['Authorization', 'Content-Type', 'If-None-Match', 'Last-Event-ID', 'X-Request-Id'],
    exposedHeaders: [
      'Account-Sync-Result',
      'Deprecation',
      'ETag',
      'Link',
      'RateLimit',
      'RateLimit-Policy',
      'Retry-After',
      'X-Request-Id',
    ],
    maxAge: 600,
    strictPreflight: false,
  };
}
