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
import type { Access } from '../authenticate.js';
import type { DiskWatch } from '../disk-watch.js';
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
  /** Milliseconds that only pass, while a clock may be set. */
  readonly elapsed: () => number;
  readonly rejections: RejectionLog;
  readonly disk: DiskWatch;
  /** Lets in who has the access, before the body is read. */
  readonly may: Readonly<Record<Access, onRequestHookHandler>>;
  /** Lets in who sends a key in the body. */
  readonly admit: (key: string, request: FastifyRequest, reply: FastifyReply) => Promise<void>;
  /** Who sends an import, as it is now; undefined once its key is not let in any more. */
  readonly readmit: (request: FastifyRequest) => Promise<Principal | undefined>;
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
  { may, refresh }: V2Parts,
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
    onRequest: may[access],
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
