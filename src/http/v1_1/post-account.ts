import type { FastifyReply, FastifyRequest } from 'fastify';
import { isJsonObject } from '../../domain/json.js';
import { INVALID_DATA, NO_DATA } from '../../domain/messages.js';
import { validateAccount } from '../../domain/validate-account.js';
import type { Store } from '../../store/store.js';
import { principalOf } from '../auth/authenticate.js';
import { refusals } from '../errors.js';
import type { RejectionLog } from '../replies/rejection-log.js';
import { isEmpty, readBody, refusedAccount, stored } from './bodies.js';

/** POST /api/v1_1/account: creates or updates one account. */
export function postAccount(store: Store, clock: () => number, rejections: RejectionLog) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const { keyId, tenant } = principalOf(request);
    const { value, bytes } = readBody(request);
    if (isEmpty(value)) throw refusals.badBody(NO_DATA);
    if (!isJsonObject(value)) throw refusals.badBody(INVALID_DATA);
    request.records = 1;
    const { patch, errors } = validateAccount(value, tenant.rules);
    if (errors !== undefined) {
      rejections.note(request, { status: 400, errors, record: value });
      return refusedAccount(reply, errors);
    }
    const upsert = {
      tenantId: tenant.id,
      keyId,
      requestId: request.id,
      at: clock(),
      patches: [patch],
      bytes,
    };
    const { created, updated } = await store.upsert(upsert);
    return stored(reply, created === 1 ? 'created' : updated === 1 ? 'updated' : 'unchanged');
  };
}
