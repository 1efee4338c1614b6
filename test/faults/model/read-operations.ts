import { isDeepStrictEqual } from 'node:util';
import { canonicalId } from './canonical-id.js';
import { ancestorsOf, childrenOf, descendantsOf } from './hierarchy.js';
import { accountBody, type ListQuery, matchingIds } from './matching-accounts.js';
import type { Definition } from './operation.js';
import { invalid, notFound, response } from './responses.js';
import type { TenantModel } from './tenant-model.js';

interface AccountRead {
  readonly id: string;
  readonly limit: number;
}

const urlOf = ({ id }: { readonly id: string }, what = '') =>
  `/api/v2/accounts/${encodeURIComponent(id)}${what}`;
const idIn = ({ rules }: TenantModel, { id }: { readonly id: string }) => canonicalId(id, rules.account_ids);

export interface GetAccount {
  readonly kind: 'get-account';
  readonly id: string;
}

/** Reads an account with the `ETag` of the last response. */
export const getAccount: Definition<GetAccount> = {
  scope: 'read',
  send: (client, operation, model) => {
    const etag = model.seen.get(idIn(model, operation))?.etag;
    return client.request(
      'GET',
      urlOf(operation),
      undefined,
      etag === undefined ? {} : { 'if-none-match': etag },
    );
  },
  expect: (model, operation, call, { headers: { etag = 'none' } }) => {
    const id = idIn(model, operation);
    if (!model.accounts.has(id)) return notFound(`account ${id}`, call);
    const body = accountBody(model, id);
    const seen = model.seen.get(id);
    if (isDeepStrictEqual(seen?.body, body)) return response(304, undefined, { etag: seen?.etag });
    model.seen.set(id, { etag, body });
    return response(200, body, { etag: etag === seen?.etag ? 'another' : etag });
  },
};

export interface GetHistory extends AccountRead {
  readonly kind: 'get-history';
  readonly field?: string;
}

export const getHistory: Definition<GetHistory> = {
  scope: 'read',
  send: (client, { field, ...of }) =>
    client.pages(
      urlOf(of, field === undefined ? '/history?' : `/history?field=${encodeURIComponent(field)}&`),
      of.limit,
    ),
  expect: (model, { field, ...of }, call) => {
    const id = idIn(model, of);
    const changes = model.changesOf(id).map(({ account_id: _, ...change }) => change);
    if (changes.length === 0) return notFound(`account ${id}`, call);
    const isShown = (change: (typeof changes)[number]) =>
      field === undefined || change.changes.some((one) => one.field === field);
    return response(200, { data: changes.filter(isShown).reverse(), next: null, is_complete: true });
  },
};

export interface ListAccounts {
  readonly kind: 'list-accounts';
  readonly query: ListQuery;
  readonly limit: number;
}

export const listAccounts: Definition<ListAccounts> = {
  scope: 'read',
  send: (client, { query, limit }) => {
    const { sort, archived, ...filters } = query;
    // The number of all accounts is updated shortly after a change, so it is not compared.
    const count = Object.keys(filters).length === 0 ? {} : { count: 'true' };
    return client.pages(`/api/v2/accounts?${new URLSearchParams({ ...query, ...count })}&`, limit);
  },
  expect: (model, { query }) => {
    const found = matchingIds(model, query);
    if (found === undefined) return invalid('/query/attribute');
    const { sort, archived, ...filters } = query;
    const isCounted = Object.keys(filters).length > 0;
    return response(200, {
      data: found.map((id) => accountBody(model, id)),
      next: null,
      ...(isCounted && { count: { accounts: found.length, is_exact: true } }),
    });
  },
};

export interface ListChildren extends AccountRead {
  readonly kind: 'list-children';
}

export const listChildren: Definition<ListChildren> = {
  scope: 'read',
  send: (client, of) => client.pages(urlOf(of, '/children?'), of.limit),
  expect: (model, of, call) => {
    const id = idIn(model, of);
    const children = childrenOf(model, id);
    if (children.length === 0 && !model.accounts.has(id))
      return notFound(`account ${id}, nor one below it`, call);
    const data = children.map((child) => ({
      ...accountBody(model, child),
      has_children: childrenOf(model, child).length > 0,
    }));
    return response(200, { data, next: null });
  },
};

export interface GetAncestors extends Omit<AccountRead, 'limit'> {
  readonly kind: 'get-ancestors';
}

export const getAncestors: Definition<GetAncestors> = {
  scope: 'read',
  send: (client, of) => client.request('GET', urlOf(of, '/ancestors')),
  expect: (model, of, call) => {
    const id = idIn(model, of);
    if (!model.accounts.has(id)) return notFound(`account ${id}`, call);
    const { ids, ...end } = ancestorsOf(model, id);
    return response(200, { data: ids.map((above) => accountBody(model, above)), ...end, is_complete: true });
  },
};

export interface GetSubtree extends AccountRead {
  readonly kind: 'get-subtree';
}

export const getSubtree: Definition<GetSubtree> = {
  scope: 'read',
  send: (client, of) => client.pages(urlOf(of, '/subtree?'), of.limit),
  expect: (model, of, call) => {
    const id = idIn(model, of);
    if (!model.accounts.has(id)) return notFound(`account ${id}`, call);
    const { paths, cycle } = descendantsOf(model, id);
    const data = paths.map((path) => ({
      depth: path.length,
      account: accountBody(model, path.at(-1) as string),
    }));
    return response(200, { data, next: null, cycle });
  },
};
