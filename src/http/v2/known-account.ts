import type { FastifyRequest } from 'fastify';
import type { Account } from '../../domain/account.js';
import { canonicalFor } from '../../domain/tenant.js';
import type { Store } from '../../store/store.js';
import { principalOf } from '../authenticate.js';
import { refusals } from '../refusal.js';

/** The account that the path names. */
export async function knownAccount(
  store: Store,
  request: FastifyRequest<{ Params: { id: string } }>,
): Promise<Account> {
  const id = accountIdOf(request);
  const account = await store.accounts.find(principalOf(request).tenant.id, id);
  if (account === undefined) throw refusals.noSuch(`account ${id}`);
  return account;
}

export function accountIdOf(request: FastifyRequest<{ Params: { id: string } }>): string {
  return canonicalFor(principalOf(request).tenant.rules.accountIds, request.params.id);
}
