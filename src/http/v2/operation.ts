import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyRequest,
  onRequestHookHandler,
  RawServerDefault,
} from 'fastify';
import type { TSchema } from 'typebox';
import type { Config } from '../../config.js';
import type { Scope } from '../../domain/api-key.js';
import type { Store } from '../../store/store.js';
import type { Principal } from '../principals.js';
import type { RejectionLog } from '../rejection-log.js';
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
  readonly rejections: RejectionLog;
  /** Lets a key with the scope in, before the body is read. */
  readonly may: Readonly<Record<Scope, onRequestHookHandler>>;
  /** Who sends an import, as it is now; undefined once its key is not let in any more. */
  readonly readmit: (request: FastifyRequest) => Promise<Principal | undefined>;
  /** After keys or settings have changed. */
  readonly refresh: () => void;
}

export interface OperationSchema {
  params?: TSchema;
  querystring?: TSchema;
  body?: TSchema;
  headers?: TSchema;
}

interface Description<S extends OperationSchema> {
  /** Its name in logs, metrics and the document. */
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly schema: S;
  /** Status → what a good answer holds. */
  readonly answers: Readonly<Record<number, TSchema | { description: string }>>;
  /** Statuses beyond those that every operation has. */
  readonly refusals?: readonly number[];
}

/** The options of a route that is documented, named and let in by scope. */
export function operation<S extends OperationSchema>(
  { may, refresh }: V2Parts,
  scope: Scope,
  { id, tag, summary, description, schema, answers, refusals = [] }: Description<S>,
) {
  const statuses = [...new Set([400, 401, 403, 429, 500, ...refusals])].sort();
  const response = { ...answers, ...Object.fromEntries(statuses.map((status) => [status, ProblemSchema])) };
  return {
    onRequest: may[scope],
    // Before the caller hears of a change, so that its next request finds it.
    ...(scope === 'admin' && { onSend: async () => refresh() }),
    config: { operation: id },
    schema: {
      operationId: id,
      tags: [tag],
      summary,
      description: [description, `Scope: \`${scope}\`.`].filter(Boolean).join('\n\n'),
      ...schema,
      response,
    } as S & { response: typeof response },
  };
}
