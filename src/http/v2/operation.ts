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
import type { TSchema } from 'typebox';
import type { Config } from '../../config.js';
import type { Store } from '../../store/store.js';
import type { Actor } from '../../store/tenants/configuration-changes.js';
import { type Access, principalOf } from '../auth/authenticate.js';
import type { Principal } from '../auth/principals.js';
import type { BodyThrottle } from '../body/throttle-body.js';
import { type HttpError, httpError, invalidRequest } from '../errors.js';
import type { DiskWatch } from '../observability/disk-watch.js';
import {
  type Answers,
  type Content,
  type Description,
  type Example,
  RETRY_AFTER,
  WWW_AUTHENTICATE,
} from '../openapi/description.js';
import { PROBLEM_NAMES, problemBody } from '../replies/problem-details.js';
import type { RejectionLog } from '../replies/rejection-log.js';
import { ProblemSchema } from './schemas.js';

export type V2App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/** What operations work with. */
export interface V2Parts {
  readonly config: Config;
  readonly store: Store;
  readonly clock: () => number;
  /** Milliseconds that only pass, while a clock guards be set. */
  readonly elapsed: () => number;
  readonly rejections: RejectionLog;
  readonly disk: DiskWatch;
  readonly throttle: BodyThrottle;
  /** Lets in who has the access, before the body is read. */
  readonly guards: Readonly<Record<Access, onRequestHookHandler>>;
  /** Lets in who sends a key in the body. */
  readonly authorize: (key: string, request: FastifyRequest, reply: FastifyReply) => Promise<void>;
  /** Who sends an import, as it is now; undefined once its key is not let in any more. */
  readonly reauthorize: (request: FastifyRequest) => Promise<Principal | undefined>;
  /** After keys, settings or sessions have changed. */
  readonly refresh: () => void;
}

export interface OperationSchema {
  params?: TSchema;
  querystring?: TSchema;
  body?: TSchema;
}

interface OperationDescription<S extends OperationSchema>
  extends Omit<Description, 'scope' | 'params' | 'querystring' | 'body'> {
  /** What requests are checked by. */
  readonly schema: S;
  /** Bodies that the operation reads itself, by media type; of others `schema` tells. */
  readonly content?: Content;
  /** The good ones. */
  readonly answers: Answers;
  /** Statuses beyond those that every operation has. */
  readonly refusals?: readonly number[];
}

/** The options of a route that is documented, named and guarded. */
export function operation<S extends OperationSchema>(
  { guards, refresh }: V2Parts,
  access: Access,
  { schema, content, answers, refusals = [], ...named }: OperationDescription<S>,
) {
  const { params, querystring, body } = schema;
  const read = content ?? (body && { 'application/json': { schema: body } });
  const ofInput = (params ?? querystring ?? read) ? [400] : [];
  // How much an operation reads that reads by itself is its own matter.
  const ofBodies = [...(body ? [413] : []), ...(read ? [415] : [])];
  const ofKeys = access === 'none' ? [] : [401, ...(access === 'any' ? [] : [403]), 429];
  const statuses = [...new Set([...ofInput, ...ofKeys, ...ofBodies, 500, 503, ...refusals])];
  const description: Description = {
    by: ['key', 'session'],
    ...named,
    ...(access !== 'none' && { scope: access }),
    ...(params && { params }),
    ...(querystring && { querystring }),
    ...(read && { body: read }),
    answers: { ...answers, ...problemAnswers(statuses) },
  };
  return {
    onRequest: guards[access],
    // Before the caller hears of a change, so that its next request finds it.
    ...(access === 'admin' && {
      onSend: async ({ method }: FastifyRequest, { statusCode }: FastifyReply) => {
        if (method !== 'GET' && statusCode < 400) refresh();
      },
    }),
    config: { operation: named.id, description },
    schema,
  };
}

/** What each status means to a caller, and a refusal that has it. */
const REFUSED: Readonly<Record<number, readonly [meaning: string, example: HttpError]>> = {
  400: [
    'The request is not valid; `errors` points at everything that is wrong.',
    invalidRequest([{ pointer: '/query/limit', detail: 'must be <= 1000' }]),
  ],
  401: ['No key was sent, or none that is live and of this host.', httpError('unauthenticated')],
  403: ['The key lacks the scope.', httpError('scope_missing', 'admin')],
  404: ['There is no such thing.', httpError('not_found', 'account acme')],
  409: ['The state of things does not allow it.', httpError('last_admin_key', 'ops')],
  413: ['The body is larger than the operator allows.', httpError('body_too_large', 10_485_760)],
  415: ['The body is of a type or an encoding that is not read.', httpError('content_type_not_json')],
  429: ['Too many at once; `Retry-After` says when to come back.', httpError('rate_limited', 42)],
  500: ['Something failed on our side. Repeat it later.', httpError('internal_error')],
  503: [
    'Too much is under way. Nothing was stored; repeat it after `Retry-After`.',
    httpError('write_queue_full'),
  ],
};

const HEADERS: Readonly<Record<number, Answers[number]['headers']>> = {
  401: { 'WWW-Authenticate': WWW_AUTHENTICATE },
  429: { 'Retry-After': RETRY_AFTER },
  503: { 'Retry-After': RETRY_AFTER },
};

/** For the document, where each is written down once. */
export const PROBLEM_EXAMPLES: Readonly<Record<string, Example>> = Object.fromEntries(
  Object.entries(REFUSED).map(([status, [summary, refusal]]) => [
    PROBLEM_NAMES[Number(status)],
    { summary, value: problemBody(refusal, 'job-7:1') },
  ]),
);

export function problemAnswers(statuses: readonly number[]): Answers {
  return Object.fromEntries(
    statuses.map((status) => {
      const name = PROBLEM_NAMES[status] as string;
      const examples = { [name]: { $ref: `#/components/examples/${name}` } };
      const content = { 'application/problem+json': { schema: ProblemSchema, examples } };
      const headers = HEADERS[status] ?? {};
      return [status, { description: REFUSED[status]?.[0] ?? name, content, headers }];
    }),
  );
}

/** Who asks for a change, for the audit. */
export function actorOf(request: FastifyRequest, at: number): Actor {
  return { at, keyId: principalOf(request).keyId, requestId: request.id };
}
