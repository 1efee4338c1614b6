import Type, { type Static } from 'typebox';
import { readValue } from '../../../domain/attribute-types.js';
import { canonicalFor, type TenantRules } from '../../../domain/tenant.js';
import type { AccountFilter } from '../../../store/accounts/account-filter.js';
import { MAX_COUNT } from '../../../store/accounts/account-pages.js';
import type { PageOrder } from '../../../store/accounts/listing-plan.js';
import { fitsIndex } from '../../../store/jobs/attribute-index.js';
import { invalidRequest, type PointedProblem } from '../../errors.js';
import { readTimestamp } from '../request-validation.js';
import { Cursor, Limit } from '../schemas.js';

export const ListQuery = Type.Object(
  {
    limit: Limit,
    cursor: Cursor,
    sort: Type.Optional(
      Type.Enum(['id', '-id', 'name', '-name', 'updated', '-updated'], {
        description:
          'The order; `-` reverses it, so `-updated` is newest first. Accounts without a name come last.',
        examples: ['-updated'],
      }),
    ),
    search: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 191,
        description: 'A prefix of the id or the name. Matches of the id come first, then those of the name.',
        examples: ['ac'],
      }),
    ),
    id_prefix: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 191,
        description: 'A prefix of the id, case-insensitive.',
        examples: ['ac'],
      }),
    ),
    name_prefix: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 191,
        description: 'A prefix of the name, case-insensitive for a to z. Orders by name.',
        examples: ['Acme'],
      }),
    ),
    parent: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 191,
        description: 'The `parent_account_id`.',
        examples: ['acme'],
      }),
    ),
    attribute: Type.Optional(
      Type.Array(Type.String(), {
        maxItems: 10,
        description: '`name:value` of a declared attribute. Several must all match.',
        examples: ['custom_Tier:gold'],
      }),
    ),
    updated_since: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'Only accounts changed since then. Without other filters, orders by last change.',
        examples: ['2027-01-31T12:00:00Z'],
      }),
    ),
    archived: Type.Optional(
      Type.Enum(['exclude', 'include', 'only'], {
        default: 'exclude',
        description: 'Whether archived accounts are listed.',
        examples: ['only'],
      }),
    ),
    count: Type.Optional(
      Type.Boolean({ description: `Count the matches, up to ${MAX_COUNT}.`, examples: [true] }),
    ),
  },
  { additionalProperties: false },
);

export interface AccountListing {
  readonly order: PageOrder | 'updated' | '-updated';
  readonly filters: readonly AccountFilter[];
}

/**
 * Filters that usually match the fewest accounts come first: one of them uses an index, the others are checked.
 * `pointer` leads to the query.
 */
export function readListing(
  query: Static<typeof ListQuery>,
  rules: TenantRules,
  pointer = '/query',
): AccountListing {
  const problems: PointedProblem[] = [];
  const id = (name: 'parent' | 'search' | 'id_prefix'): string => {
    const text = canonicalFor(rules.accountIds, query[name] ?? '');
    if (text === '') problems.push({ pointer: `${pointer}/${name}`, detail: 'must not be blank' });
    return text;
  };
  const filters: AccountFilter[] = [];
  const { search, name_prefix, attribute = [], updated_since } = query;
  if (query.parent !== undefined) filters.push({ kind: 'parent', parentId: id('parent') });
  if (search !== undefined) filters.push({ kind: 'search', id: id('search'), name: search.trimStart() });
  if (query.id_prefix !== undefined) filters.push({ kind: 'id', prefix: id('id_prefix') });
  if (name_prefix !== undefined) filters.push({ kind: 'name', prefix: name_prefix });
  for (const [i, text] of attribute.entries()) {
    const filter = readAttribute(text, rules);
    const place = attribute.length === 1 ? `${pointer}/attribute` : `${pointer}/attribute/${i}`;
    if (typeof filter === 'string') problems.push({ pointer: place, detail: filter });
    else filters.push(filter);
  }
  if (problems.length > 0) throw invalidRequest(problems);
  const at = readTimestamp(updated_since, `${pointer}/updated_since`);
  if (at !== undefined) filters.push({ kind: 'since', at });
  const order = query.sort ?? naturalOrder(filters);
  const { archived = 'exclude' } = query;
  if (archived !== 'exclude') filters.push({ kind: 'archived', which: archived });
  return { order, filters };
}

function naturalOrder(filters: readonly AccountFilter[]): AccountListing['order'] {
  const kinds = new Set(filters.map(({ kind }) => kind));
  if (kinds.has('search')) return 'match';
  if (kinds.has('name')) return 'name';
  return kinds.has('since') && filters.length === 1 ? 'updated' : 'id';
}

/** Returns the filter, or a message about what is wrong. */
function readAttribute(text: string, rules: TenantRules): AccountFilter | string {
  const colon = text.indexOf(':');
  if (colon === -1) return 'must have the form name:value';
  const name = text.slice(0, colon);
  const attribute = rules.attributes.get(name);
  if (attribute === undefined) return `${name} is not declared`;
  const read = readValue(text.slice(colon + 1), attribute);
  if (read === undefined) return `the value is not a valid ${attribute.type} value`;
  const value = JSON.stringify(read);
  return { kind: 'attribute', name, value, isIndexed: attribute.index === 'ready' && fitsIndex(value) };
}
