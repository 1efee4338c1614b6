import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import type { Account } from '../../../domain/account.js';
import { isJsonObject } from '../../../domain/json.js';
import type { TenantRules } from '../../../domain/tenant.js';
import { validateAccount } from '../../../domain/validate-account.js';
import type { UpsertRequest } from '../../../store/requests.js';
import { principalOf } from '../../auth/authenticate.js';
import { invalidRequest } from '../../errors.js';
import { operation, type V2App, type V2Parts } from '../operation.js';
import { RunningStreams } from '../stream-lines.js';
import {
  type AccountEdit,
  bytesOf,
  checkEdit,
  EditSchema,
  pointedErrors,
  rejectMisplaced,
  valuesOf,
} from './account-edit.js';
import { SELECTION_PROPERTIES } from './account-selection.js';
import { manyResponse } from './many-response.js';
import { streamManyAccounts } from './stream-many-accounts.js';

const Body = Type.Object(
  { ...SELECTION_PROPERTIES, set: EditSchema },
  {
    additionalProperties: false,
    examples: [{ matching: { parent: 'acme' }, set: { fields: { custom_Tier: 'gold' } }, dry_run: true }],
  },
);

export function editAccounts(app: V2App, parts: V2Parts): void {
  const streams = new RunningStreams(app);
  const access = 'edit';
  const options = operation(parts, access, {
    id: 'edit-accounts',
    tag: 'Accounts',
    summary: 'Edit many accounts in the same way',
    description:
      'Changes the fields of `set` in the accounts with these `ids`, or in all that match; try it with `dry_run` first. ' +
      'Each account is edited or rejected independently, and none is created. An account that matches and is changed ' +
      'at the same moment is rejected as `changed`. The request is a run of its own, which can be undone. Unless the ' +
      'last line is a summary with `is_complete: true`, send the request again: accounts that have the values already ' +
      'stay as they are.',
    schema: { body: Body },
    responses: { 200: manyResponse('updated') },
  });
  const preValidation = async ({ body }: FastifyRequest) =>
    rejectMisplaced(isJsonObject(body) ? body.set : undefined, '/body/set');
  app.post('/accounts/edit', { ...options, preValidation }, (request, reply) => {
    const { set, ids } = request.body;
    rejectForAll(set, principalOf(request).tenant.rules);
    const plan = ({ accountId, revision }: Account) => {
      const { source, tenant } = principalOf(request);
      return checkEdit(accountId, set, {
        rules: tenant.rules,
        source,
        ...(ids === undefined && { revision }),
      });
    };
    const write = (upsert: UpsertRequest) => parts.store.upsert(upsert);
    const work = {
      what: 'edit of many accounts',
      access,
      hasRun: true,
      plan,
      bytesPerPatch: bytesOf(set),
      write,
    } as const;
    return streamManyAccounts(streams, request, reply, work, parts);
  });
}

/** Throws if the values are wrong for every account. */
function rejectForAll(set: AccountEdit, rules: TenantRules): void {
  const errors = new Map(validateAccount(valuesOf(set), rules).errors);
  // The values have no account yet.
  errors.delete('account_id');
  if (errors.size === 0) return;
  const problems = pointedErrors(errors, '/body/set', '/body').map(({ pointer, detail }) => ({
    pointer,
    detail: detail.replace(/^Account , /, 'The field '),
  }));
  throw invalidRequest(problems);
}
