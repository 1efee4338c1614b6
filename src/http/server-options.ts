import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type FastifyBaseLogger, LogController } from 'fastify';
import type { Config } from '../config.js';
import { holdsKey } from '../domain/api-key.js';
import { originForm } from './connection/request-head.js';
import type { ServingCertificate } from './connection/serving-certificate.js';
import { replyToClientError, replyToError } from './replies/error-replies.js';

/** The headers of a request have to arrive within this time; `endSlowBodies` sees to its body. */
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

/** How Fastify and Node's server are to be set up. */
export function serverOptions({
  config,
  logger,
  certificate,
  stalledTimeoutMs = STALLED_TIMEOUT_MS,
}: OptionParts) {
  const http = {
    headersTimeout: HEADERS_TIMEOUT_MS,
    // Node's own answer to a missing Host would have no body.
    requireHostHeader: false,
    // It would leave out what is sent again, and somebody on the way may have looked at that.
    joinDuplicateHeaders: true,
  };
  return {
    loggerInstance: logger,
    // One line a request is our own, and names the request itself: no logger of its own for each.
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: (parent: FastifyBaseLogger) => parent,
    genReqId: requestId,
    rewriteUrl: originForm,
    // An account_id in a path, percent-encoded.
    routerOptions: { maxParamLength: 2_500 },
    bodyLimit: config.maxBodyBytes,
    trustProxy: typeof config.trustProxy === 'boolean' ? config.trustProxy : [...config.trustProxy],
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    connectionTimeout: stalledTimeoutMs,
    http,
    https: certificate === undefined ? null : { ...http, ...certificate.serverOptions },
    // A request that comes in meanwhile is served, not dropped.
    return503OnClosing: false,
    clientErrorHandler: replyToClientError,
    frameworkErrors: replyToError,
  };
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
