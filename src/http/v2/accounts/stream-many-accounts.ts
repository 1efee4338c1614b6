import type { FastifyReply, FastifyRequest } from 'fastify';
import { principalOf } from '../../auth/authenticate.js';
import { httpError, invalidRequest } from '../../errors.js';
import { RUN_HEADER } from '../../runs/run-header.js';
import type { V2Parts } from '../operation.js';
import { type RunningStreams, streamLines } from '../stream-lines.js';
import { readSelection, type SelectionBody } from './account-selection.js';
import { ManyAccounts, type ManyAccountsWork } from './many-accounts.js';

/** Limits memory and work. */
const MAX_PER_TENANT = 5;

interface ManyAccountsRequest extends FastifyRequest {
  body: SelectionBody;
}

/** Responds with the lines of what becomes of the accounts that the body selects. */
export async function streamManyAccounts(
  streams: RunningStreams,
  request: ManyAccountsRequest,
  reply: FastifyReply,
  work: ManyAccountsWork,
  parts: V2Parts,
): Promise<FastifyReply> {
  const { senderId, source, tenant } = principalOf(request);
  if (request.headers[RUN_HEADER] !== undefined) {
    const detail =
      'cannot be sent here: an edit of many accounts is a run of its own, and a deletion is no run';
    throw invalidRequest([{ pointer: `/headers/${RUN_HEADER}`, detail }]);
  }
  if (streams.countOf(tenant.id) >= MAX_PER_TENANT) throw httpError('too_many_edits', MAX_PER_TENANT);
  const { max_accounts: maxAccounts, dry_run: isDryRun = false } = request.body;
  const selection = readSelection(request.body, tenant.rules);
  request.isDryRun = isDryRun;
  await streams.run(tenant.id, async () => {
    if (work.hasRun && !isDryRun) {
      const start = { tenantId: tenant.id, source, senderId, at: parts.clock() };
      request.runId = (await parts.store.runs.open(start, { mode: 'update-only' })).id;
    }
    const { stopping } = streams;
    const response = new ManyAccounts({ request, selection, maxAccounts, work, stopping, parts });
    await streamLines(request, reply, work.what, response.lines());
  });
  return reply;
}
