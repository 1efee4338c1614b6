import type { FastifyRequest } from 'fastify';
import Type, { type Static } from 'typebox';
import { type Account, applyPatch, type PatchResult } from '../../../domain/account.js';
import { ownershipErrors } from '../../../domain/validate-account.js';
import type { RecordResult, UpsertRequest } from '../../../store/requests.js';
import { previewUpsert } from '../../../store/write/dry-run.js';
import { CHANGE, changedFields } from '../../../wire/change-body.js';
import { Json, nullable } from '../../../wire/schemas.js';
import { principalOf } from '../../auth/authenticate.js';
import { ERRORS, HttpError, invalidRequest } from '../../errors.js';
import { ETAG } from '../../openapi/description.js';
import { markDryRun } from '../../runs/mark-dry-run.js';
import { RunHeader } from '../../runs/run-header.js';
import { operation, type V2App, type V2Parts } from '../operation.js';
import { ACCOUNT, AccountIdParams, AccountSchema } from '../schemas.js';
import { accountBody, findAccount } from './account-body.js';
import {
  type AccountEdit,
  bytesOf,
  checkEdit,
  EditSchema,
  pointedErrors,
  rejectMisplaced,
} from './account-edit.js';
import { etagOf, readIfMatch } from './revision-tag.js';

const Query = Type.Object(
  {
    dry_run: Type.Optional(
      Type.Boolean({
        description: 'Store nothing, and return what the edit would change.',
        examples: [true],
      }),
    ),
  },
  { additionalProperties: false },
);

export const EditResultSchema = Type.Object(
  {
    outcome: Type.Enum(['updated', 'archived', 'restored', 'unchanged', 'skipped'], {
      description: '`skipped`: the run only creates accounts.',
    }),
    account: AccountSchema,
    changes: Type.Array(Type.Object({ field: Type.String(), from: Json, to: Json })),
    kept: Type.Array(Type.String(), {
      description: 'Fields that were left as they are, because another source owns them.',
    }),
    run_id: nullable(Type.String({ description: 'Null in a dry run.' })),
    dry_run: Type.Boolean(),
  },
  {
    examples: [
      {
        outcome: 'updated',
        account: ACCOUNT,
        changes: CHANGE.changes,
        kept: [],
        run_id: CHANGE.run_id,
        dry_run: false,
      },
    ],
  },
);

type EditRequest = FastifyRequest<{ Params: { id: string }; Body: AccountEdit }>;

export function patchAccount(app: V2App, parts: V2Parts): void {
  const { onRequest, ...options } = operation(parts, 'edit', {
    id: 'patch-account',
    tag: 'Accounts',
    summary: 'Edit an account',
    description:
      'Changes the fields that are sent, and only them; values follow the same rules as pushed ones. `If-Match` says ' +
      'which revision is edited, so that no change of others is overwritten unseen: if the account has changed since, ' +
      'the response is 412 and nothing is stored. Creates no account, and leaves an archived one in the archive.',
    schema: { params: AccountIdParams, querystring: Query, body: EditSchema },
    headers: Type.Object({
      'If-Match': Type.String({
        description: 'The `ETag` of the account, or its revision in quotes. `*` edits any revision.',
        examples: ['*'],
      }),
      ...RunHeader.properties,
    }),
    responses: {
      200: {
        description: 'The account and what was changed.',
        schema: EditResultSchema,
        headers: { ETag: ETAG },
      },
    },
    errorStatuses: [404, 409, 412, 428],
  });
  const route = {
    ...options,
    onRequest: [onRequest, markDryRun, parts.runs.assign],
    preValidation: async ({ body }: FastifyRequest) => rejectMisplaced(body, '/body'),
  };
  app.patch('/accounts/:id', route, async (request, reply) => {
    const { tenant } = principalOf(request);
    const revision = readIfMatch(request.headers['if-match']);
    const { isDryRun, runId } = request;
    const { account, outcome, changes, kept = [] } = await edit(parts, request, revision);
    const body = accountBody(account, tenant.rules);
    if (!isDryRun) reply.header('etag', etagOf(account, JSON.stringify(body)));
    const result: Static<typeof EditResultSchema> = {
      outcome,
      account: body,
      changes: changedFields(changes),
      kept: [...kept],
      run_id: runId === null ? null : String(runId),
      dry_run: isDryRun,
    };
    return result;
  });
}

type Edited = Pick<PatchResult, 'account' | 'changes' | 'kept'> & {
  readonly outcome: Static<typeof EditResultSchema>['outcome'];
};

/** Edits the account at the wanted revision. Without one, an account that changes meanwhile is read again. */
async function edit(parts: V2Parts, request: EditRequest, wanted: number | undefined): Promise<Edited> {
  for (;;) {
    const account = await findAccount(parts.store, request);
    if ((wanted ?? account.revision) !== account.revision) throw changed(request, account, wanted);
    const edited = await editRevision(parts, request, account);
    if (edited !== undefined) return edited;
  }
}

/** Undefined if the account has changed meanwhile. */
async function editRevision(
  { store, runs, clock }: V2Parts,
  request: EditRequest,
  account: Account,
): Promise<Edited | undefined> {
  const { senderId, source, tenant } = principalOf(request);
  const { accountId, revision } = account;
  const { rules } = tenant;
  const checked = checkEdit(accountId, request.body, { rules, source, revision });
  if ('errors' in checked) throw invalidRequest(pointedErrors(checked.errors, '/body', '/path/id'));
  const { patch } = checked;
  const at = clock();
  const upsert: UpsertRequest = {
    tenantId: tenant.id,
    senderId,
    requestId: request.id,
    runId: request.runId ?? undefined,
    mode: request.writeMode,
    at,
    patches: [patch],
    // In the run of a mirror, the edit shows that the source has the account. Otherwise an edit is no push.
    ...(request.isMirrored && { pushed: { source, accountIds: [accountId] } }),
    bytes: bytesOf(request.body),
    wantsRecords: true,
    isIndependent: true,
  };
  request.records = 1;
  const { records, conflicts } = request.isDryRun
    ? await previewUpsert(async () => new Map([[accountId, account]]), upsert)
    : await store.upsert(upsert);
  if (conflicts !== undefined) return undefined;
  const { outcome, refused = [] } = (records as readonly RecordResult[])[0] as RecordResult;
  if (outcome === 'refused') {
    const errors = ownershipErrors({ account_id: accountId }, refused);
    throw invalidRequest(pointedErrors(errors, '/body', '/path/id'));
  }
  const isSkipped = outcome === 'skipped';
  const result: Edited = isSkipped
    ? { account, changes: {}, outcome }
    : { ...applyPatch(account, patch, at), outcome: outcome as Edited['outcome'] };
  const unchanged = outcome === 'unchanged' ? 1 : 0;
  runs.record(request, { unchanged, skipped: isSkipped ? 1 : 0, kept: result.kept?.length ?? 0 });
  return result;
}

/** With the ETag of the account as it is now, for a client that decides to overwrite. */
function changed(request: FastifyRequest, account: Account, wanted = 0): HttpError {
  const { rules } = principalOf(request).tenant;
  const etag = etagOf(account, JSON.stringify(accountBody(account, rules)));
  const message = ERRORS.revision_changed.message(account.accountId, wanted, account.revision);
  return new HttpError('revision_changed', message, { headers: { etag } });
}
