import Type, { type Static } from 'typebox';
import { readValue } from '../../domain/attribute-types.js';
import { canonicalFor, type TenantRules } from '../../domain/tenant.js';
import { fitsIndex } from '../../store/chores/attribute-index.js';
import { type AccountFilter, keyLength, MAX_COUNT } from '../../store/reading/account-pages.js';
import { principalOf } from '../authenticate.js';
import { type PointedProblem, refusals } from '../refusal.js';
import { accountBody } from './account-body.js';
import { areTexts, readCursor, writeCursor } from './cursor.js';
import { operation, type V2App, type V2Parts } from './operation.js';
import { readMoment } from './read-query.js';
import { recentAccounts } from './recent-accounts.js';
import { AccountSchema, Cursor, DEFAULT_LIMIT, Limit, nullable } from './schemas.js';

export const ListQuery = Type.Object(
  {
    limit: Limit,
    cursor: Cursor,
    sort: Type.Optional(
      Type.Enum(['id', 'updated', '-updated'], {
        description: '`updated`: oldest change first; `-updated`: newest first',
        examples: ['-updated'],
      }),
    ),
    id_prefix: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 191,
        description: 'in any case; ordered by id',
        examples: ['ac'],
      }),
    ),
    name_prefix: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 191,
        description: 'a to z in any case; ordered by name',
        examples: ['Acme'],
      }),
    ),
    parent: Type.Optional(
      Type.String({ minLength: 1, maxLength: 191, description: 'parent_account_id', examples: ['acme'] }),
    ),
    attribute: Type.Optional(
      Type.String({ description: '`name:value` of an indexed attribute', examples: ['custom_Tier:gold'] }),
    ),
    updated_since: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'ordered by last change',
        examples: ['2027-01-31T12:00:00Z'],
      }),
    ),
    count: Type.Optional(Type.Boolean({ description: `count them, up to ${MAX_COUNT}`, examples: [true] })),
  },
  { additionalProperties: false },
);

const Answer = Type.Object({
  data: Type.Array(AccountSchema),
  next: nullable(Type.String()),
  count: Type.Optional(
    Type.Object({
      accounts: Type.Integer(),
      is_exact: Type.Boolean({ description: 'false: there are at least as many' }),
    }),
  ),
});

const FILTERS = ['id_prefix', 'name_prefix', 'parent', 'attribute', 'updated_since'] as const;

export function listAccounts(app: V2App, parts: V2Parts): void {
  const { store } = parts;
  const options = operation(parts, 'read', {
    id: 'list-accounts',
    tag: 'Accounts',
    summary: 'List accounts, page by page',
    description:
      'Takes one filter at a time: each goes by an index of its own. By id and by last change each account comes exactly ' +
      'once, whatever is written meanwhile; by name, one that is renamed meanwhile may come twice or not at all.',
    schema: { querystring: ListQuery },
    answers: { 200: { description: 'A page of accounts', schema: Answer } },
  });
  app.get('/accounts', options, async (request) => {
    const { tenant } = principalOf(request);
    const { limit = DEFAULT_LIMIT, cursor, count } = request.query;
    const filter = readFilter(request.query, tenant.rules);
    if (filter === undefined) return recentAccounts(parts, tenant, request.query);
    const isKey = (key: unknown): key is string[] => areTexts(key) && key.length === keyLength(filter);
    const after = cursor === undefined ? [] : readCursor({ ...filter }, cursor, isKey);
    const { accounts, next } = await store.pages.page(tenant.id, filter, limit, after);
    return {
      data: accounts.map((account) => accountBody(account, tenant.rules)),
      next: next === undefined ? null : writeCursor({ ...filter }, [...next]),
      ...(count && { count: await countOf(parts, tenant.id, filter) }),
    };
  });
}

async function countOf({ store }: V2Parts, tenantId: number, filter: AccountFilter) {
  if (filter.kind === 'all') return { accounts: await store.statistics.accounts(tenantId), is_exact: true };
  const accounts = await store.pages.count(tenantId, filter);
  return { accounts, is_exact: accounts < MAX_COUNT };
}

/** Undefined where the order is that of changes. */
function readFilter(query: Static<typeof ListQuery>, rules: TenantRules): AccountFilter | undefined {
  const given = FILTERS.filter((name) => query[name] !== undefined);
  const problems: PointedProblem[] = given.slice(1).map((name) => ({
    pointer: `/query/${name}`,
    detail: `cannot be combined with ${given[0]}: one filter at a time`,
  }));
  const byChange = query.updated_since !== undefined || (query.sort ?? 'id') !== 'id';
  const others = given.filter((name) => name !== 'updated_since');
  if (query.sort !== undefined && query.sort !== 'id' && others.length > 0) {
    problems.push({
      pointer: '/query/sort',
      detail: `must be id with ${others[0]}: no index has that order`,
    });
  }
  if (query.sort === 'id' && query.updated_since !== undefined) {
    problems.push({ pointer: '/query/sort', detail: 'must be updated or -updated with updated_since' });
  }
  if (problems.length > 0) throw refusals.invalid(problems);
  if (byChange) {
    readMoment(query.updated_since, '/query/updated_since');
    return undefined;
  }
  const id = (text: string) => canonicalFor(rules.accountIds, text);
  if (query.id_prefix !== undefined) {
    const prefix = id(query.id_prefix);
    if (prefix !== '') return { kind: 'id', prefix };
    throw refusals.invalid([{ pointer: '/query/id_prefix', detail: 'must not be blank' }]);
  }
  if (query.name_prefix !== undefined) return { kind: 'name', prefix: query.name_prefix };
  if (query.parent !== undefined) return { kind: 'parent', parentId: id(query.parent) };
  return query.attribute === undefined ? { kind: 'all' } : readAttributeFilter(query.attribute, rules);
}

function readAttributeFilter(text: string, rules: TenantRules): AccountFilter {
  const refuse = (detail: string) => refusals.invalid([{ pointer: '/query/attribute', detail }]);
  const colon = text.indexOf(':');
  if (colon === -1) throw refuse('must have the form name:value');
  const name = text.slice(0, colon);
  const attribute = rules.attributes.get(name);
  if (attribute === undefined) throw refuse(`${name} is not declared`);
  if (attribute.index === 'building') throw refuse(`the index of ${name} is still being built`);
  if (attribute.index === undefined) {
    throw refuse(`${name} is not indexed: PUT /api/v2/attributes/${name} with "indexed": true`);
  }
  const read = readValue(text.slice(colon + 1), attribute);
  if (read === undefined) throw refuse(`the value is not a valid ${attribute.type} value`);
  const value = JSON.stringify(read);
  if (!fitsIndex(value)) throw refuse('the value is too long to be indexed');
  return { kind: 'attribute', name, value };
}
