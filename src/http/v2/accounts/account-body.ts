import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import type { Account } from '../../../domain/account.js';
import { canonicalFor, type TenantRules } from '../../../domain/tenant.js';
import type { Store } from '../../../store/store.js';
import { isoTime } from '../../../wire/schemas.js';
import { principalOf } from '../../auth/authenticate.js';
import { httpError } from '../../errors.js';
import type { AccountSchema } from '../schemas.js';

export function accountBody(account: Account, rules: TenantRules): Static<typeof AccountSchema> {
  const { parent_account_id = null, name = null, ...fields } = account.fields;
  return {
    account_id: account.accountId,
    parent_account_id: parent_account_id as string | null,
    name: name as string | null,
    fields,
    undeclared: Object.keys(fields).filter((field) => !rules.attributes.has(field)),
    revision: account.revision,
    created_at: isoTime(account.createdAt),
    updated_at: isoTime(account.updatedAt),
    archived_at: account.archivedAt === null ? null : isoTime(account.archivedAt),
  };
}

/** The account of the path; throws 404 if it does not exist. */
export async function findAccount(
  store: Store,
  request: FastifyRequest<{ Params: { id: string } }>,
): Promise<Account> {
  const id = accountIdOf(request);
  const account = await store.accounts.find(principalOf(request).tenant.id, id);
  if (account === undefined) throw httpError('not_found', `account ${id}`);
  return account;
}

export function accountIdOf(request: FastifyRequest<{ Params: { id: string } }>): string {
  return canonicalFor(principalOf(request).tenant.rules.accountIds, request.params.id);
}
