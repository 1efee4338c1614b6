import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Type, { type Static } from 'typebox';
import { WRITE_MODES } from '../../../domain/account.js';
import { principalOf } from '../../auth/authenticate.js';
import { httpError } from '../../errors.js';
import { markDryRun } from '../../runs/mark-dry-run.js';
import { RunHeader } from '../../runs/run-header.js';
import { AccountRecord } from '../../v1_1/descriptions.js';
import { operation, type V2App, type V2Parts } from '../operation.js';
import { RunningStreams, streamLines } from '../stream-lines.js';
import { ImportReader } from './import-reader.js';
import { ImportResponse } from './import-response.js';

/** Limits memory: each import may hold an incomplete record of the largest size. */
const MAX_IMPORTS_PER_TENANT = 20;

const MEDIA_TYPES = ['application/x-ndjson', 'application/json'];

const Query = Type.Object(
  {
    dry_run: Type.Optional(
      Type.Boolean({ description: 'Store nothing, and return the results that an import would have.' }),
    ),
    mode: Type.Optional(
      Type.Enum([...WRITE_MODES], {
        description:
          '`update-only` skips records for accounts that do not exist, `create-only` those for accounts that do. ' +
          'Default: the mode of the run.',
      }),
    ),
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
      skipped: 0,
      failed: 1,
      kept: 0,
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
    'Send one record per line, or a JSON array, of any length. Each record is stored or rejected independently. The ' +
    'response starts while the body is still being sent, so read it concurrently. A result line is written after its ' +
    'record is stored durably. Unless the last line is a summary with `is_complete: true`, records after the last ' +
    'result may not be stored.',
  schema: { querystring: Query },
  headers: RunHeader,
  errorStatuses: [404, 409],
  content: {
    'application/x-ndjson': {
      schema: Type.String({ description: 'One record per line.' }),
      examples: { mixed: { value: lines(RECORDS) } },
    },
    'application/json': {
      schema: Type.Array(AccountRecord),
      examples: { mixed: { value: RECORDS } },
    },
  },
  responses: {
    200: {
      description: 'One line per record, in order, and a summary as the last line.',
      content: {
        'application/x-ndjson': {
          schema: Type.String({ description: 'One result per line, then the summary.' }),
          examples: { mixed: { value: lines(RESULTS) } },
        },
      },
    },
  },
};

/** Needs its own Fastify scope, since it replaces the body parser. */
export function importAccounts(app: V2App, parts: V2Parts): void {
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser(MEDIA_TYPES, (_request, body, done) => done(null, body));
  const imports = new RunningStreams(app);
  const { config, onRequest, ...options } = operation(parts, 'sync', DESCRIPTION);
  const route = {
    ...options,
    onRequest: [onRequest, markDryRun, parts.runs.assign],
    config: { ...config, syncs: true, streams: true },
  };
  app.post('/accounts/import', route, async (request, reply) => {
    const body = request.body as Readable | undefined;
    if (body === undefined) throw httpError('no_data');
    const { tenant } = principalOf(request);
    if (imports.countOf(tenant.id) >= MAX_IMPORTS_PER_TENANT)
      throw httpError('too_many_imports', MAX_IMPORTS_PER_TENANT);
    const reader = new ImportReader({
      request,
      body,
      reauthorize: parts.reauthorize,
      stopping: imports.stopping,
    });
    await imports.run(tenant.id, async () => {
      await reader.begin();
      await respond(request, reply, reader, parts);
    });
    return reply;
  });
}

/** Never rejects after the response has started. */
async function respond(
  request: FastifyRequest,
  reply: FastifyReply,
  reader: ImportReader,
  { store, clock, rejections, runs, config }: V2Parts,
): Promise<void> {
  const { senderId, source, tenant } = principalOf(request);
  const session = store.beginImport({
    tenantId: tenant.id,
    senderId,
    source,
    runId: request.runId ?? undefined,
    mode: (request.query as Static<typeof Query>).mode ?? request.writeMode,
    isMirrored: request.isMirrored,
    requestId: request.id,
    isArray: reader.isArray,
    isDryRun: request.isDryRun,
    maxBytes: config.maxBodyBytes,
  });
  const run = new ImportResponse({ request, reader, session, rejections, runs, clock });
  await streamLines(request, reply, 'import', run.lines());
  session.close();
  // With an unread body, no further request can be read on this connection.
  if (!request.raw.complete) request.raw.destroy();
}
