import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onRequestHookHandler,
  RawServerDefault,
} from 'fastify';
import Type, { type TSchema } from 'typebox';
import type { Config } from '../../config.js';
import type { HostPolicy } from '../../delivery/host-policy.js';
import type { MessageSender } from '../../delivery/post-message.js';
import type { Store } from '../../store/store.js';
import type { Actor } from '../../store/tenants/configuration-changes.js';
import type { Access } from '../auth/access.js';
import { principalOf, type Reauthorize } from '../auth/authenticate.js';
import type { Principals } from '../auth/principals.js';
import type { SignIn } from '../auth/sign-in.js';
import { type HttpError, httpError, invalidRequest } from '../errors.js';
import type { DiskWatch } from '../observability/disk-watch.js';
import {
  type Content,
  type Description,
  type Example,
  RETRY_AFTER,
  type Responses,
  WWW_AUTHENTICATE,
} from '../openapi/description.js';
import { PROBLEM_NAMES, problemBody } from '../replies/problem-details.js';
import type { RejectionLog } from '../replies/rejection-log.js';
import type { RunTracker } from '../runs/run-tracker.js';
import { ProblemSchema } from './schemas.js';

export type V2App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/** The dependencies of the operations. */
export interface V2Parts {
  readonly config: Config;
  readonly store: Store;
  readonly clock: () => number;
  readonly rejections: RejectionLog;
  readonly runs: RunTracker;
  readonly disk: DiskWatch;
  /** Which hosts webhooks may have. */
  readonly hostPolicy: HostPolicy;
  /** Sends test events to webhooks. */
  readonly messageSender: MessageSender;
  /** Hooks that authorize a request before its body is read. */
  readonly guards: Readonly<Record<Access, onRequestHookHandler>>;
  readonly signIn: SignIn;
  readonly principals: Principals;
  readonly reauthorize: Reauthorize;
  /** Call after a change of keys, settings or sessions. */
  readonly refresh: () => void;
}

export interface OperationSchema {
  params?: TSchema;
  querystring?: TSchema;
  body?: TSchema;
}

/** An operation without query parameters rejects all of them: a `dry_run` that is ignored would store something. */
const NO_QUERY = Type.Object({}, { additionalProperties: false });
/** For an operation whose query parameters another system decides on. */
export const ANY_QUERY = Type.Object({});

interface OperationDescription<S extends OperationSchema>
  extends Omit<Description, 'access' | 'params' | 'querystring' | 'body'> {
  /** Validates requests. */
  readonly schema: S;
  /** Bodies that the operation reads itself, by media type; other bodies are described by `schema`. */
  readonly content?: Content;
  /** Successful responses. */
  readonly responses: Responses;
  /** Statuses of errors in addition to those that follow from the schema and the access. */
  readonly errorStatuses?: readonly number[];
}

/**
 * Builds the options of one /api/v2 route from one declaration, so that route, guard, validation and OpenAPI document
 * cannot diverge:
 *
 *   access  ─▶ guard (onRequest), scopes in the document, statuses 401, 403 and 429
 *   schema  ─▶ validation, parameters and body in the document, statuses 400, 413 and 415
 *   id      ─▶ name of the operation in logs, metrics and the document
 *
 * Invariant: a successful change by an admin operation refreshes the cached principals before its response is sent.
 */
export function operation<S extends OperationSchema>(
  { guards, refresh }: V2Parts,
  access: Access,
  { schema, content, responses, errorStatuses = [], ...named }: OperationDescription<S>,
) {
  const { params, querystring, body } = schema;
  const requestBody = content ?? (body && { 'application/json': { schema: body } });
  // No 413 for an operation that reads its own body, which has no size limit.
  const ofBodies = [...(body ? [413] : []), ...(requestBody ? [415] : [])];
  const ofKeys = access === 'none' ? [] : [401, ...(access === 'any' ? [] : [403]), 429];
  const ofInput = querystring === ANY_QUERY ? [] : [400];
  const statuses = [...new Set([...ofInput, ...ofKeys, ...ofBodies, 500, 503, ...errorStatuses])];
  const description: Description = {
    credentials: ['key', 'session'],
    ...named,
    ...(access !== 'none' && { access }),
    ...(params && { params }),
    ...(querystring && { querystring }),
    ...(requestBody && { body: requestBody }),
    responses: { ...responses, ...problemResponses(statuses) },
  };
  return {
    onRequest: guards[access],
    // Before the response, so that the client's next request sees the change.
    ...(access === 'admin' && {
      onSend: async ({ method }: FastifyRequest, { statusCode }: FastifyReply) => {
        if (method !== 'GET' && statusCode < 400) refresh();
      },
    }),
    config: { operation: named.id, description },
    schema: { querystring: NO_QUERY, ...schema } as S,
  };
}

/** The meaning of each error status in the document, with an example. */
const ERROR_STATUSES: Readonly<Record<number, readonly [meaning: string, example: HttpError]>> = {
  400: [
    'The request is not valid; `errors` lists every problem.',
    invalidRequest([{ pointer: '/query/limit', detail: 'must be <= 1000' }]),
  ],
  401: ['No key was sent, or the key is not live or not valid for this host.', httpError('unauthenticated')],
  403: ['The key lacks the required scope.', httpError('scope_missing', 'admin')],
  404: ['The requested object does not exist.', httpError('not_found', 'account acme')],
  409: ['The request conflicts with the current state.', httpError('last_admin_key', 'ops')],
  413: ['The body is larger than the operator allows.', httpError('body_too_large', 10_485_760)],
  412: ['The account has changed since.', httpError('revision_changed', 'acme', 7, 9)],
  415: ['The media type or encoding of the body is not supported.', httpError('content_type_not_json')],
  428: ['The request does not say which revision it changes.', httpError('revision_required')],
  429: ['Too many requests; send the request again after `Retry-After`.', httpError('rate_limited', 42)],
  500: ['The server failed. Send the request again later.', httpError('internal_error')],
  503: [
    'The server is overloaded. Nothing was stored; send the request again after `Retry-After`.',
    httpError('write_queue_full'),
  ],
};

const HEADERS: Readonly<Record<number, Responses[number]['headers']>> = {
  401: { 'WWW-Authenticate': WWW_AUTHENTICATE },
  429: { 'Retry-After': RETRY_AFTER },
  503: { 'Retry-After': RETRY_AFTER },
};

/** Shared examples of the document, which responses refer to. */
export const PROBLEM_EXAMPLES: Readonly<Record<string, Example>> = Object.fromEntries(
  Object.entries(ERROR_STATUSES).map(([status, [summary, example]]) => [
    PROBLEM_NAMES[Number(status)],
    { summary, value: problemBody(example, 'job-7:1') },
  ]),
);

function problemResponses(statuses: readonly number[]): Responses {
  return Object.fromEntries(
    statuses.map((status) => {
      const name = PROBLEM_NAMES[status] as string;
      const examples = { [name]: { $ref: `#/components/examples/${name}` } };
      const content = { 'application/problem+json': { schema: ProblemSchema, examples } };
      const headers = HEADERS[status] ?? {};
      return [status, { description: ERROR_STATUSES[status]?.[0] ?? name, content, headers }];
    }),
  );
}

/** The author of a change, for the audit log. */
export function actorOf(request: FastifyRequest, at: number): Actor {
  return { at, senderId: principalOf(request).senderId, requestId: request.id };
}
