import type { FastifyReply, FastifyRequest } from 'fastify';
import type { UpsertCounts } from '../../store/requests.js';
import type { Store } from '../../store/store.js';
import type { ReceivedRequest } from '../../store/write/received-request.js';
import { principalOf } from '../auth/authenticate.js';
import { errorFor } from '../errors.js';
import { JSON_TYPE } from '../json-type.js';
import type { RejectionLog } from '../replies/rejection-log.js';
import type { RunTracker } from '../runs/run-tracker.js';

interface PostAccountParts {
  readonly store: Store;
  readonly clock: () => number;
  readonly rejections: RejectionLog;
  readonly runs: RunTracker;
}

/** The contract fixes the bytes of its responses, so additional information goes into headers. */
const SUCCESS = '{"success":true}';
const NO_BODY = Buffer.alloc(0);
/** Characters of the header `Account-Sync-Kept`. */
const MAX_KEPT_LENGTH = 2_000;

/**
 * POST /api/v1_1/account creates or updates one account, POST /api/v1_1/accounts all accounts of a batch, or none. The
 * store parses and checks the body.
 */
export function postAccount(
  kind: ReceivedRequest['kind'],
  { store, clock, rejections, runs }: PostAccountParts,
) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const { senderId, source, tenant } = principalOf(request);
    const received = await store.receive({
      kind,
      tenantId: tenant.id,
      settings: tenant.settings,
      senderId,
      source,
      runId: request.runId ?? undefined,
      mode: request.writeMode,
      isMirrored: request.isMirrored,
      requestId: request.id,
      at: clock(),
      body: (request.body as Buffer | undefined) ?? NO_BODY,
    });
    request.records = received.records;
    if ('failed' in received) throw received.failed;
    if ('problem' in received) throw errorFor(received.problem);
    reply.type(JSON_TYPE);
    if ('counts' in received) {
      const { unchanged, skipped, kept = {} } = received.counts;
      const keptValues = Object.values(kept).reduce((sum, values) => sum + values, 0);
      runs.record(request, { unchanged, skipped, kept: keptValues });
      if (keptValues > 0) reply.header('account-sync-kept', keptHeader(kept));
      return reply.header('account-sync-result', result(kind, received.counts)).send(SUCCESS);
    }
    rejections.addRecords(request, received.rejection);
    runs.record(request, { failedRequests: 1, rejected: received.records });
    return reply.code(400).send(received.rejection.body);
  };
}

/** An archived account that is sent again counts as updated. */
function result(kind: ReceivedRequest['kind'], counts: UpsertCounts): string {
  const { created, unchanged, skipped } = counts;
  const updated = counts.updated + counts.restored;
  if (kind === 'batch') {
    const others = skipped === 0 ? '' : `, skipped=${skipped}`;
    return `created=${created}, updated=${updated}, unchanged=${unchanged}${others}`;
  }
  if (skipped === 1) return 'skipped';
  return created === 1 ? 'created' : updated === 1 ? 'updated' : 'unchanged';
}

/**
 * How many values of which fields were left as they are: `custom_Tier=3, name=1`. Names are percent-encoded. Fields that
 * have no room are counted together as `*`, since clients and proxies limit the size of headers.
 */
function keptHeader(kept: Readonly<Record<string, number>>): string {
  let header = '';
  let others = 0;
  for (const [field, values] of Object.entries(kept)) {
    const entry = `${header === '' ? '' : ', '}${encodeURIComponent(field)}=${values}`;
    if (header.length + entry.length <= MAX_KEPT_LENGTH) header += entry;
    else others += values;
  }
  return others === 0 ? header : `${header}, *=${others}`;
}

/** The contract deprecates the batch since 31 May 2021 (RFC 9745). No removal date exists, so `Sunset` is not sent. */
export function markDeprecated(_request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  reply.header('deprecation', '@1622419200');
  reply.header('link', '</api/v2/accounts/import>; rel="successor-version"');
  done();
}
