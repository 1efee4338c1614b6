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
import type { Scope } from '../../domain/api-key.js';
import type { Store } from '../../store/store.js';
import type { Answers, Content, Description } from '../openapi/description.js';
import type { Principal } from '../principals.js';
import type { RejectionLog } from '../rejection-log.js';
import { problemAnswers } from './problem-answers.js';

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
  readonly rejections: RejectionLog;
  /** Lets a key with the scope in, before the body is read. */
  readonly may: Readonly<Record<Scope, onRequestHookHandler>>;
  /** The same for the scope `read`, also while the database does not answer. */
  readonly mayAskInOutages: onRequestHookHandler;
  /** Who sends an import, as it is now; undefined once its key is not let in any more. */
  readonly readmit: (request: FastifyRequest) => Promise<Principal | undefined>;
  /** After keys or settings have changed. */
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

/** The options of a route that is documented, named and let in by scope. */
export function operation<S extends OperationSchema>(
  { may, refresh }: V2Parts,
  scope: Scope,
  { schema, content, answers, refusals = [], ...named }: OperationDescription<S>,
) {
  const { params, querystring, body } = schema;
  const read = content ?? (body && { 'application/json': { schema: body } });
  const ofInput = (params ?? querystring ?? read) ? [400] : [];
  // How much an operation reads that reads by itself is its own matter.
  const ofBodies = [...(body ? [413] : []), ...(read ? [415] : [])];
  const statuses = [...new Set([...ofInput, 401, 403, ...ofBodies, 429, 500, ...refusals])];
  const description: Description = {
    ...named,
    scope,
    ...(params && { params }),
    ...(querystring && { querystring }),
    ...(read && { body: read }),
    answers: { ...answers, ...problemAnswers(statuses) },
  };
  return {
    onRequest: may[scope],
    // Before the caller hears of a change, so that its next request finds it.
    ...(scope === 'admin' && {
      onSend: async ({ method }: FastifyRequest, { statusCode }: FastifyReply) => {
        if (method !== 'GET' && statusCode < 400) refresh();
      },
    }),
    config: { operation: named.id, description },
    schema,
  };
}
