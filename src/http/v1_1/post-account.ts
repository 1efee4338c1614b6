import type { FastifyReply, FastifyRequest } from 'fastify';
import { isJsonObject } from '../../domain/json.js';
import { validateAccount } from '../../domain/validate-account.js';
import type { Store } from '../../store/store.js';
import { principalOf } from '../auth/authenticate.js';
import { httpError } from '../errors.js';
import type { RejectionLog } from '../replies/rejection-log.js';
import { isEmpty, readBody, sendRejectedAccount, sendStored } from './bodies.js';

/** POST /api/v1_1/account: creates or updates one account. */
export function postAccount(store: Store, clock: () => number, rejections: RejectionLog) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const { keyId, tenant } = principalOf(request);
    const { value, bytes } = readBody(request);
    if (isEmpty(value)) throw httpError('no_data');
    if (!isJsonObject(value)) throw httpError('invalid_data');
    request.records = 1;
    const { patch, errors } = validateAccount(value, tenant.rules);
    if (errors !== undefined) {
      rejections.add(request, { status: 400, errors, record: value });
      return sendRejectedAccount(reply, errors);
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
    return sendStored(reply, created === 1 ? 'created' : updated === 1 ? 'updated' : 'unchanged');
  };
}
