import { expect } from 'vitest';
import { NO_PRESENTATION } from '../../support/no-presentation.js';
import { canonicalId } from './canonical-id.js';
import type { Definition } from './operation.js';
import { invalid, notFound, problemResponse, response } from './responses.js';
import type { Attribute, Owner } from './stored-value.js';
import { BUILT_IN, isoTime, OWNABLE, sourceOf } from './tenant-model.js';
import type { Rules } from './validate-record.js';

export interface PatchSettings {
  readonly kind: 'patch-settings';
  readonly changes: Partial<Omit<Rules, 'attributes' | 'blocked'>>;
}

export const patchSettings: Definition<PatchSettings> = {
  scope: 'admin',
  send: (client, { changes }) => client.request('PATCH', '/api/v2/settings', changes),
  expect: (model, { changes }) => {
    if (Object.keys(changes).length === 0) return invalid('/body');
    Object.assign(model.rules, changes);
    const { attributes: _, blocked: __, ...settings } = model.rules;
    const created_at = isoTime(model.createdAt);
    return response(200, { tenant: model.name, ...settings, hosts: [], created_at });
  },
};

export interface PutAttribute {
  readonly kind: 'put-attribute';
  readonly name: string;
  readonly body: {
    readonly type: Attribute['type'];
    readonly choices?: readonly string[];
    readonly read_only?: boolean;
    readonly indexed?: boolean;
    readonly owner?: (Partial<Owner> & Pick<Owner, 'source'>) | null;
  };
}

const attributeUrl = (name: string) => `/api/v2/attributes/${encodeURIComponent(name)}`;

export const putAttribute: Definition<PutAttribute> = {
  scope: 'admin',
  // Sent again while the index is being built: after a second the service responds without waiting for it.
  send: async (client, { name, body }) => {
    const put = () => client.request('PUT', attributeUrl(name), body);
    const first = await put();
    let last = first;
    while ((last.body as { index?: unknown } | undefined)?.index === 'building') last = await put();
    return { ...first, body: last.body };
  },
  expect: ({ rules: { attributes }, declared, keys }, { name, body }, call) => {
    const { type, choices = [], read_only = false, indexed } = body;
    const stored = attributes.get(name);
    const isOwnable = OWNABLE.includes(name);
    const built_in = isOwnable || Object.hasOwn(BUILT_IN, name);
    const wrong = {
      '/path/name': !built_in && !name.startsWith('custom_'),
      '/body/type': built_in && type !== (isOwnable ? 'text' : stored?.type),
      '/body/read_only': built_in && read_only,
      '/body/indexed': isOwnable && indexed === true,
      '/body/choices': (type === 'choice') !== choices.length > 0,
    };
    const pointers = Object.entries(wrong).flatMap(([pointer, isWrong]) => (isWrong ? [pointer] : []));
    if (pointers.length > 0) return invalid(...pointers);
    if (body.owner && !keys.some((key) => sourceOf(key) === body.owner?.source))
      return problemResponse(409, 'unknown_source', `There is no source ${body.owner.source}.`, call);
    const owner = ownerOf(body.owner, stored);
    const index = indexed === undefined ? (stored?.index ?? 'none') : indexed ? 'ready' : 'none';
    const attribute = { type, choices: [...new Set(choices)], read_only, index, owner } as const;
    attributes.set(name, attribute);
    declared.add(name);
    // The service counts the accounts with a value shortly after the request.
    const unset = { ...NO_PRESENTATION, index_progress: null };
    const shown = { name, ...attribute, ...unset, built_in, accounts: expect.any(Number) };
    return response(stored === undefined ? 201 : 200, shown);
  },
};

function ownerOf(sent: PutAttribute['body']['owner'], stored: Attribute | undefined): Owner | null {
  if (sent === undefined) return stored?.owner ?? null;
  return sent && { others: 'reject', ...sent };
}

export interface DeleteAttribute {
  readonly kind: 'delete-attribute';
  readonly name: string;
}

export const deleteAttribute: Definition<DeleteAttribute> = {
  scope: 'admin',
  send: (client, { name }) => client.request('DELETE', attributeUrl(name)),
  expect: ({ rules: { attributes }, declared }, { name }, call) => {
    if (!declared.delete(name)) return notFound(`attribute ${name} that was declared`, call);
    const builtIn = Object.hasOwn(BUILT_IN, name) ? attributes.get(name) : undefined;
    if (builtIn === undefined) attributes.delete(name);
    else attributes.set(name, { ...builtIn, index: 'none', owner: null });
    return response(204);
  },
};

export interface Block {
  readonly kind: 'block';
  readonly pattern: string;
}

export const block: Definition<Block> = {
  scope: 'admin',
  send: (client, { pattern }) => client.request('POST', '/api/v2/blocked-ids', { pattern }),
  expect: ({ rules: { blocked } }, { pattern }) => {
    const canonical = canonicalId(pattern, 'any');
    if (['', '*.'].includes(canonical)) return invalid('/body/pattern');
    const status = blocked.has(canonical) ? 200 : 201;
    blocked.add(canonical);
    return response(status, { pattern: canonical });
  },
};

export interface Unblock {
  readonly kind: 'unblock';
  readonly pattern: string;
}

export const unblock: Definition<Unblock> = {
  scope: 'admin',
  send: (client, { pattern }) =>
    client.request('DELETE', `/api/v2/blocked-ids/${encodeURIComponent(pattern)}`),
  expect: ({ rules: { blocked } }, { pattern }, call) => {
    const canonical = canonicalId(pattern, 'any');
    return blocked.delete(canonical) ? response(204) : notFound(`blocked id ${canonical}`, call);
  },
};
