import { setImmediate as nextTurn } from 'node:timers/promises';
import Type, { type Static } from 'typebox';
import type { Account } from '../../../domain/account.js';
import { canonicalFor, type TenantRules } from '../../../domain/tenant.js';
import type { AccountFilter } from '../../../store/accounts/account-filter.js';
import type { PageKey } from '../../../store/accounts/account-pages.js';
import type { Store } from '../../../store/store.js';
import { invalidRequest } from '../../errors.js';
import { nulsAmong } from '../request-validation.js';
import { ListQuery, readListing } from './list-query.js';

const MAX_IDS = 10_000;
const MAX_ACCOUNTS_PER_PAGE = 500;
/** So that the patches of a page, each of which has all new values, do not fill the memory. */
const PATCH_BYTES_PER_PAGE = 1024 * 1024;

const { limit: _limit, cursor: _cursor, sort: _sort, count: _count, ...ofList } = ListQuery.properties;
// In a query, one value stands for a list.
const attribute = Type.Optional(
  Type.Array(Type.String(), { ...ofList.attribute, examples: [['custom_Tier:gold']] }),
);

export const MatchingSchema = Type.Object(
  { ...ofList, attribute },
  {
    additionalProperties: false,
    description: 'All accounts that match these filters, which are those of the list of accounts.',
  },
);

/** Properties of a body that selects many accounts: `ids` or `matching`. */
export const SELECTION_PROPERTIES = {
  ids: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 191 }), {
      minItems: 1,
      maxItems: MAX_IDS,
      description: 'Account ids. Send these or `matching`.',
    }),
  ),
  matching: Type.Optional(MatchingSchema),
  dry_run: Type.Optional(
    Type.Boolean({ default: false, description: 'Store nothing, and return what would be done.' }),
  ),
  max_accounts: Type.Optional(
    Type.Integer({
      minimum: 0,
      description:
        'Stop before more accounts than this: the number that a dry run has matched, so that not more are changed.',
    }),
  ),
};

export interface SelectionBody extends Static<Type.TObject<typeof SELECTION_PROPERTIES>> {}

export type Selection = { readonly ids: readonly string[] } | { readonly filters: readonly AccountFilter[] };

/** Some of the selected accounts. */
export interface SelectedPage {
  readonly accounts: readonly Account[];
  /** Ids without an account. */
  readonly missing: readonly string[];
}

export function readSelection({ ids, matching }: SelectionBody, rules: TenantRules): Selection {
  if (ids !== undefined && matching === undefined)
    return { ids: [...new Set(ids.map((id) => canonicalFor(rules.accountIds, id)))] };
  if (matching === undefined || ids !== undefined)
    throw invalidRequest([{ pointer: '/body', detail: 'must have either ids or matching' }]);
  const nuls = nulsAmong(matching, '/body/matching');
  if (nuls.length > 0) throw invalidRequest(nuls);
  return { filters: readListing(matching, rules, '/body/matching').filters };
}

/** Each account once, also while others are written. A page is limited in the bytes of its accounts and their patches. */
export async function* pagesOf(
  store: Store,
  tenantId: number,
  selection: Selection,
  bytesPerPatch: number,
): AsyncGenerator<SelectedPage, void> {
  const fitting = Math.floor(PATCH_BYTES_PER_PAGE / bytesPerPatch);
  const limit = Math.min(Math.max(fitting, 1), MAX_ACCOUNTS_PER_PAGE);
  if ('filters' in selection) {
    yield* matchingPages(store, tenantId, selection.filters, limit);
    return;
  }
  for (let start = 0; start < selection.ids.length; start += limit) {
    const ids = selection.ids.slice(start, start + limit);
    const missing = new Set(ids);
    const filters = [{ kind: 'ids', ids } as const, { kind: 'archived', which: 'include' } as const];
    for await (const { accounts, isLast } of matchingPages(store, tenantId, filters, limit)) {
      for (const { accountId } of accounts) missing.delete(accountId);
      yield { accounts, missing: isLast ? [...missing] : [] };
    }
  }
}

async function* matchingPages(
  store: Store,
  tenantId: number,
  filters: readonly AccountFilter[],
  limit: number,
) {
  const listing = { order: 'id', filters } as const;
  for (let after: PageKey | undefined = []; after !== undefined; ) {
    const { accounts, next } = await store.pages.page(tenantId, listing, limit, after);
    yield { accounts, missing: [], isLast: next === undefined };
    after = next;
    // SQLite reads synchronously, and other requests would wait.
    await nextTurn();
  }
}
