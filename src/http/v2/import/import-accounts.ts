import { setMaxListeners } from 'node:events';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { principalOf } from '../../auth/authenticate.js';
import { FairScheduler } from '../../body/fair-scheduler.js';
import { httpError } from '../../errors.js';
import { AccountRecord } from '../../v1_1/descriptions.js';
import { operation, type V2App, type V2Parts } from '../operation.js';
import { ImportReader } from './import-reader.js';
import { ImportResponse } from './import-response.js';

/** Each may hold a record of the largest size that is not complete yet. */
const MAX_IMPORTS_PER_TENANT = 20;

const MEDIA_TYPES = ['application/x-ndjson', 'application/json'];

const Query = Type.Object(
  {
    dry_run: Type.Optional(Type.Boolean({ description: 'store nothing, and tell what an import would do' })),
  },
  { additionalProperties: false },
);

const RECORDS = [
  { account_id: 'acme', name: 'Acme Inc.' },
  { account_id: 'acme-berlin', licenses: 'ten' },
];
const RESULTS = [
  { index: 0, account_id: 'acme', status: 'created', changed: ['name'] },
  {
    index: 1,
    account_id: 'acme-berlin',
    status: 'failed',
    errors: { licenses: ['Account acme-berlin, licenses has invalid integer value.'] },
  },
  {
    summary: {
      records: 2,
      created: 1,
      updated: 0,
      unchanged: 0,
      failed: 1,
      dry_run: false,
      is_complete: true,
      problem: null,
    },
  },
];
const lines = (values: readonly object[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('');

const DESCRIPTION = {
  id: 'import-accounts',
  tag: 'Accounts',
  summary: 'Create or update any number of accounts',
  description:
    'Send a record a line, or a JSON array, of any length. Each record is stored or refused by itself; the answer ' +
    'begins while the body is still sent, so read it meanwhile. A line is written once its record is stored for ' +
    'good. Without a summary whose `is_complete` is true, records behind the last line may be missing.',
  schema: { querystring: Query },
  content: {
    'application/x-ndjson': {
      schema: Type.String({ description: 'a record a line' }),
      examples: { mixed: { value: lines(RECORDS) } },
    },
    'application/json': {
      schema: Type.Array(AccountRecord),
      examples: { mixed: { value: RECORDS } },
    },
  },
  answers: {
    200: {
      description: 'A line a record, in order, and a summary as the last line',
      content: {
        'application/x-ndjson': {
          schema: Type.String({ description: 'a result a line, and the summary' }),
          examples: { mixed: { value: lines(RESULTS) } },
        },
      },
    },
  },
};

/** In a scope of its own, since it changes how bodies are read. */
export function importAccounts(app: V2App, parts: V2Parts): void {
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser(MEDIA_TYPES, (_request, body, done) => done(null, body));
  app.addHook('onRequest', async (request) => {
    request.isDryRun = (request.query as { dry_run?: unknown }).dry_run === 'true';
  });
  const scheduler = new FairScheduler();
  const stopping = new AbortController();
  // Every import listens, and there may be many.
  setMaxListeners(0, stopping.signal);
  const running = new Map<Promise<void>, number>();
  app.addHook('preClose', async () => stopping.abort());
  // Before the store is closed.
  app.addHook('onClose', async () => {
    await Promise.allSettled(running.keys());
  });
  const { config, ...options } = operation(parts, 'sync', DESCRIPTION);
  const route = { ...options, config: { ...config, syncs: true, streams: true } };
  app.post('/accounts/import', route, async (request, reply) => {
    const body = request.body as Readable | undefined;
    if (body === undefined) throw httpError('no_data');
    const { tenant } = principalOf(request);
    const others = [...running.values()].filter((tenantId) => tenantId === tenant.id);
    if (others.length >= MAX_IMPORTS_PER_TENANT) throw httpError('too_many_imports', MAX_IMPORTS_PER_TENANT);
    const { rejections, reauthorize, throttle } = parts;
    const { maxBodyBytes: maxBytes } = parts.config;
    const { signal } = stopping;
    const reader = new ImportReader({
      request,
      body,
      maxBytes,
      rejections,
      reauthorize,
      throttle,
      scheduler,
      stopping: signal,
    });
    const answered = reader
      .begin()
      .then(() => answer(request, reply, reader, parts))
      .finally(() => running.delete(answered));
    running.set(answered, tenant.id);
    await answered;
    return reply;
  });
}

/** Does not reject once the answer has begun. */
async function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  reader: ImportReader,
  { store, clock, throttle }: V2Parts,
): Promise<void> {
  const dryRun = request.isDryRun ? store.dryRun() : undefined;
  reply.hijack();
  reply.raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'application/x-ndjson; charset=utf-8',
    // Some proxies would otherwise keep the lines until there are enough of them.
    'x-accel-buffering': 'no',
  });
  reply.raw.flushHeaders();
  try {
    const run = new ImportResponse({ request, reader, store: dryRun ?? store, throttle, clock });
    // Settles only once the group under way is stored, also where the caller has left: nothing is closed under it.
    await pipeline(run.lines(), reply.raw, { end: false });
  } catch (error) {
    const { id, records } = request;
    const hasLeft = (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE';
    // There is no other line in the log about a request whose answer was not taken.
    if (hasLeft) request.log.warn({ id, records }, 'import broke off');
    else request.log.error({ err: error, id }, 'import failed');
  } finally {
    reply.raw.end();
    dryRun?.close();
    // Nothing could be read behind it on this connection.
    if (!request.raw.complete) request.raw.destroy();
  }
}
