import Type from 'typebox';
import type { MissingAccount } from '../../../store/runs/pushed-accounts.js';
import { RunIdParams } from '../../../wire/run-body.js';
import { nullable } from '../../../wire/schemas.js';
import { principalOf } from '../../auth/authenticate.js';
import { httpError } from '../../errors.js';
import { findRun } from '../../runs/find-run.js';
import type { MissingAccounts } from '../../runs/missing-accounts.js';
import { areStrings, readCursor, writeCursor } from '../cursor.js';
import { operation, type V2App, type V2Parts } from '../operation.js';
import { DEFAULT_LIMIT, PageQuery, pageOf } from '../schemas.js';

/** Pages of accounts that one request examines. */
const MAX_PAGES = 20;

const MissingSchema = Type.Object(
  { account_id: Type.String(), name: nullable(Type.String()) },
  { title: 'MissingAccount', examples: [{ account_id: 'acme', name: 'Acme Inc.' }] },
);

export function listMissing(app: V2App, parts: V2Parts, missingAccounts: MissingAccounts): void {
  const options = operation(parts, 'read', {
    id: 'list-missing',
    tag: 'Runs',
    summary: 'List the accounts that are missing from a run',
    description:
      'The accounts that the source of the run has pushed before, and not since the run was opened, in the order of ' +
      'their ids, without archived ones. Before the run is finished, they show what it would archive. A page may ' +
      'have fewer entries than `limit`, or none: only `next` tells whether there are more.',
    schema: { params: RunIdParams, querystring: PageQuery },
    responses: { 200: { description: 'A page of accounts.', schema: pageOf(MissingSchema) } },
    errorStatuses: [404, 409],
  });
  app.get('/runs/:id/missing', options, async (request) => {
    const { tenant } = principalOf(request);
    const { limit = DEFAULT_LIMIT, cursor } = request.query;
    const run = await findRun(parts.store, tenant.id, request.params.id);
    if (run.missing === null) throw httpError('missing_not_asked', run.id);
    const listing = ['missing', run.id];
    const [from = ''] = cursor === undefined ? [] : readCursor(listing, cursor, areStrings);
    const data: MissingAccount[] = [];
    let pages = 0;
    let next: string | undefined;
    for await (const { missing, last } of missingAccounts.pages(run, tenant.id, from)) {
      pages += 1;
      data.push(...missing.slice(0, limit - data.length));
      const isCut = missing.length > 0 && data.at(-1) !== missing.at(-1);
      next = isCut ? data.at(-1)?.accountId : last;
      if (data.length === limit || pages === MAX_PAGES) break;
    }
    return {
      data: data.map(({ accountId, name }) => ({ account_id: accountId, name })),
      next: next === undefined ? null : writeCursor(listing, [next]),
    };
  });
}
