import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { INTERNAL_ERROR, UNAUTHENTICATED } from '../../domain/messages.js';
import { JsonProblem } from '../../formats/json-problem.js';
import {
  AlreadyMember,
  DiskFailure,
  LinkNotValid,
  NoFreeConnection,
  QueueFull,
  SourceInUse,
  TooManyAttributes,
  TooManySources,
  TooManyUsers,
  TooManyWebhooks,
  UnknownSource,
} from '../../store/errors.js';
import { drain, drainToEnd } from '../body/drain-body.js';
import { errorFor, HttpError, httpError, invalidRequest } from '../errors.js';
import { JSON_TYPE } from '../json-type.js';
import { sendProblem, validationProblems } from './problem-details.js';

/**
 * Headers of every response: browsers must not guess its type, caches must not store it, and pages of other origins
 * cannot embed it. Static files override the cache header.
 */
export const STANDARD_HEADERS = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'cross-origin-resource-policy': 'same-origin',
} as const;

/** The contract's body for every failure that is not about one attribute. */
export function contractBody(message: string): string {
  return JSON.stringify({ success: false, errors: [message], errors_by_attributes: [] });
}

/** The contract fixes this body: its `status` is 403 although the HTTP status is 401. */
const UNAUTHENTICATED_BODY = JSON.stringify({ success: false, error: UNAUTHENTICATED, status: 403 });

/** The only place where an error becomes a response: problem details below /api/v2, elsewhere the contract's body. */
export async function replyToError(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (reply.raw.shouldKeepAlive) {
    // Fastify would close the connection because of the unread body, which is drained instead.
    reply.removeHeader('connection');
    drain(request.raw);
  } else {
    await drainToEnd(request.raw);
  }
  // Set again: framework errors such as a bad URL occur before the hook that sets these headers, and a handler that
  // fails may have replaced some of them, such as those for caches.
  reply.headers(STANDARD_HEADERS).header('x-request-id', request.id).type(JSON_TYPE);
  const known = toHttpError(error);
  // `DiskWatch` logs a full disk once, not once per request.
  if (known === undefined && !(error instanceof DiskFailure))
    request.log.error({ err: error, id: request.id }, 'request failed');
  const failure = known ?? httpError('internal_error');
  reply.code(failure.status).headers(failure.headers);
  if (failure.status === 401) reply.header('www-authenticate', 'Bearer');
  if (/^\/api\/v2(?:[/?]|$)/.test(request.url)) return sendProblem(reply, failure);
  return reply.send(contractErrorBody(failure));
}

function contractErrorBody({ code, message }: HttpError): string {
  if (code === 'unauthenticated') return UNAUTHENTICATED_BODY;
  return contractBody(code === 'internal_error' ? INTERNAL_ERROR : message);
}

/** Undefined if the error is a failure of the server, not of the request. */
export function toHttpError(error: FastifyError): HttpError | undefined {
  if (error instanceof HttpError) return error;
  if (error instanceof JsonProblem) return errorFor(error);
  if (error.validation !== undefined) return invalidRequest(validationProblems(error));
  if (error instanceof QueueFull) return httpError('write_queue_full');
  if (error instanceof NoFreeConnection) return httpError('database_busy');
  if (error instanceof TooManyAttributes) return httpError('too_many_attributes', error.message);
  if (error instanceof UnknownSource) return httpError('unknown_source', error.message);
  if (error instanceof SourceInUse) return httpError('source_in_use', error.message);
  if (error instanceof TooManySources) return httpError('too_many_sources', error.message);
  if (error instanceof TooManyUsers) return httpError('too_many_users', error.message);
  if (error instanceof AlreadyMember) return httpError('user_exists', error.message);
  if (error instanceof LinkNotValid) return httpError('link_not_found');
  if (error instanceof TooManyWebhooks) return httpError('too_many_webhooks', error.message);
  if (error.code === 'FST_ERR_BAD_URL') return httpError('path_invalid');
  // The path is longer than that of any stored account.
  if (error.code === 'FST_ERR_MAX_PARAM_LENGTH') return httpError('path_not_found');
  const { statusCode: status = 500, message } = error;
  return status < 500 ? new HttpError('bad_request', message, { status }) : undefined;
}
