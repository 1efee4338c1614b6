import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import { type FastifyBaseLogger, LogController } from 'fastify';
import type { Config } from '../config.js';
import { holdsSecret } from '../domain/redact.js';
import type { HttpConnections } from './connection/http-connections.js';
import { originForm } from './connection/request-head.js';
import type { ServingCertificate } from './connection/serving-certificate.js';
import { replyToError } from './replies/error-replies.js';
import { replyToClientError } from './replies/socket-replies.js';

/** The headers of a request must arrive within this time; `enforceBodyTimeout` limits its body. */
const HEADERS_TIMEOUT_MS = 60_000;
/** Longer than that of load balancers, so that none sends a request on a connection that this server just closed. */
const KEEP_ALIVE_TIMEOUT_MS = 75_000;
/** A connection with no traffic in either direction for this long is closed: its client is probably disconnected. */
const STALLED_TIMEOUT_MS = 120_000;

export interface OptionParts {
  readonly config: Config;
  readonly logger: FastifyBaseLogger;
  /** Set if the server uses HTTPS. */
  readonly certificate?: ServingCertificate | undefined;
  readonly stalledTimeoutMs?: number;
}

/** Options of Fastify and of the Node server that it uses. */
export function serverOptions(parts: OptionParts, connections: HttpConnections) {
  const { config, logger } = parts;
  return {
    loggerInstance: logger,
    // `logRequests` writes one line per request with its id, so a child logger per request would only cost time.
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: (parent: FastifyBaseLogger) => parent,
    genReqId: requestId,
    rewriteUrl: originForm,
    // The longest account_id in a path, percent-encoded.
    routerOptions: { maxParamLength: 2_500 },
    bodyLimit: config.maxBodyBytes,
    trustProxy: typeof config.trustProxy === 'boolean' ? config.trustProxy : [...config.trustProxy],
    // A request that arrives during shutdown is served, not dropped.
    return503OnClosing: false,
    serverFactory: (handler: RequestListener) => createNodeServer(parts, connections.serving(handler)),
    clientErrorHandler: (error: NodeJS.ErrnoException, socket: Socket) =>
      replyToClientError(error, socket, connections.currentResponse(socket)),
    frameworkErrors: replyToError,
  };
}

function createNodeServer(
  { certificate, stalledTimeoutMs = STALLED_TIMEOUT_MS }: OptionParts,
  listener: RequestListener,
): Server {
  const options = {
    headersTimeout: HEADERS_TIMEOUT_MS,
    // `checkRequestHead` checks it: Node's own response to a missing Host has no body.
    requireHostHeader: false,
    // Node would keep one of two equal headers, and a proxy in front may have used the other.
    joinDuplicateHeaders: true,
    // What Node buffers of a body before it stops reading: of chunks of one byte, as little as possible at a time.
    highWaterMark: 16 * 1024,
  };
  const server =
    certificate === undefined
      ? createServer(options, listener)
      : createHttpsServer({ ...options, ...certificate.serverOptions }, listener);
  server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT_MS;
  // `enforceBodyTimeout` replaces it: Node's own timeout has no exception for imports.
  server.requestTimeout = 0;
  server.setTimeout(stalledTimeoutMs);
  return server;
}

/** The client's own id if its form is safe, so that both sides can find a request by the same id. */
function requestId(request: IncomingMessage): string {
  const sent = request.headers['x-request-id'];
  // An API key or the token of a link matches the pattern too, and would be stored in logs and histories.
  const isSafe = typeof sent === 'string' && /^[\w.:-]{1,64}$/.test(sent) && !holdsSecret(sent);
  return isSafe ? sent : randomUUID();
}

/** Which origins may send requests, with which headers, and which response headers they can read. */
export function corsOptions(origins: readonly string[]) {
  return {
    origin: origins.includes('*') ? '*' : [...origins],
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    // Neither credentials nor the console's header: other origins use API keys, never sessions.
    allowedHeaders: [
      'Account-Sync-Run',
      'Authorization',
      'Content-Type',
      'If-None-Match',
      'Last-Event-ID',
      'X-Request-Id',
    ],
    exposedHeaders: [
      'Account-Sync-Kept',
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
