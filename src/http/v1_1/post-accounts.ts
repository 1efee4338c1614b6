import { setImmediate } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { JsonValue } from '../../domain/json.js';
import type { TenantRules } from '../../domain/tenant.js';
import { type Validation, validateAccount } from '../../domain/validate-account.js';
import type { Store } from '../../store/store.js';
import { principalOf } from '../auth/authenticate.js';
import { httpError } from '../errors.js';
import type { RejectionLog } from '../replies/rejection-log.js';
import { readBody, sendRejectedBatch, sendStored } from './bodies.js';

/** POST /api/v1_1/accounts: creates or updates all accounts of a batch, or none. */
export function postAccounts(store: Store, clock: () => number, maxBatch: number, rejections: RejectionLog) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const { keyId, tenant } = principalOf(request);
    const { value, bytes } = readBody(request);
    if (!Array.isArray(value) || value.length === 0) throw httpError('invalid_data');
    request.records = value.length;
    if (value.length > maxBatch) throw httpError('too_many_records', maxBatch);
    const validations = await validateAll(value, tenant.rules);
    const patches = validations.flatMap(({ patch }) => patch ?? []);
    if (patches.length < validations.length) {
      for (const [place, { errors }] of validations.entries()) {
        if (errors !== undefined)
          rejections.add(request, { status: 400, place, errors, record: value[place] });
      }
      return sendRejectedBatch(reply, validations);
    }
    const upsert = { tenantId: tenant.id, keyId, requestId: request.id, at: clock(), patches, bytes };
    const { created, updated, unchanged } = await store.upsert(upsert);
    return sendStored(reply, `created=${created}, updated=${updated}, unchanged=${unchanged}`);
  };
}

/** Enough for an error in every field of a large batch; without a limit a response could have gigabytes. */
const MAX_MESSAGE_LENGTH = 16 * 1024 * 1024;

/** Longest validation without yielding to other requests; a batch of 200 records takes less. */
const MAX_BUSY_MS = 10;

async function validateAll(records: readonly JsonValue[], rules: TenantRules): Promise<Validation[]> {
  const validations: Validation[] = [];
  let length = 0;
  let startedAt = performance.now();
  for (const record of records) {
    if (performance.now() - startedAt > MAX_BUSY_MS) {
      await setImmediate();
      startedAt = performance.now();
    }
    const validation = validateAccount(record, rules);
    for (const message of [...(validation.errors?.values() ?? [])].flat()) length += message.length;
    if (length > MAX_MESSAGE_LENGTH) throw httpError('too_many_messages');
    validations.push(validation);
  }
  return validations;
}

/** The contract deprecates the batch since 31 May 2021 (RFC 9745). No removal date exists, so `Sunset` is not sent. */
export function markDeprecated(_request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  reply.header('deprecation', '@1622419200');
  reply.header('link', '</api/v2/accounts/import>; rel="successor-version"');
  done();
}
