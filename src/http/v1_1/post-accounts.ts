import type { FastifyReply, FastifyRequest } from 'fastify';
import { INVALID_DATA } from '../../domain/messages.js';
import { validateAccount } from '../../domain/validate-account.js';
import type { Store } from '../../store/store.js';
import { principalOf } from '../authenticate.js';
import { refusals } from '../refusal.js';
import { readBody } from './read-body.js';
import { refusedBatch, stored } from './replies.js';

/** POST /api/v1_1/accounts: creates or updates all accounts of a batch, or none. */
export function postAccounts(store: Store, clock: () => number, maxBatch: number) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const { keyId, tenant } = principalOf(request);
    const { value, bytes } = readBody(request);
    if (!Array.isArray(value) || value.length === 0) throw refusals.badBody(INVALID_DATA);
    request.records = value.length;
    if (value.length > maxBatch) throw refusals.tooManyRecords(maxBatch);
    const validations = value.map((record) => validateAccount(record, tenant.rules));
    const patches = validations.flatMap(({ patch }) => patch ?? []);
    if (patches.length < validations.length) return refusedBatch(reply, validations);
    const upsert = { tenantId: tenant.id, keyId, requestId: request.id, at: clock(), patches, bytes };
    const { created, updated, unchanged } = await store.upsert(upsert);
    return stored(reply, `created=${created}, updated=${updated}, unchanged=${unchanged}`);
  };
}

/** The contract deprecates the batch as of 31 May 2021 (RFC 9745); no date of removal exists, so no `Sunset`. */
export function markDeprecated(_request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  reply.header('deprecation', '@1622419200');
  reply.header('link', '</api/v1_1/account>; rel="successor-version"');
  done();
}
