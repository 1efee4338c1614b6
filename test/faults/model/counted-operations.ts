import { NO_PRESENTATION } from '../../support/no-presentation.js';
import type { Definition } from './operation.js';
import { response } from './responses.js';
import { BUILT_IN, OWNABLE, type TenantModel } from './tenant-model.js';

/** A read of data that the service records with a delay of about a second, and in any order. */
interface DelayedRead {
  /** Whether all rejections are recorded by now; otherwise some may be missing. */
  readonly isRecorded: boolean;
}

export interface ListRejections extends DelayedRead {
  readonly kind: 'list-rejections';
}

type Entry = TenantModel['rejections'][number];

const sortKey = ({ request_id, index }: Entry) => `${request_id} ${index ?? -1}`.padStart(20);
const sorted = (entries: readonly Entry[]) => entries.toSorted((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));

export const listRejections: Definition<ListRejections> = {
  scope: 'read',
  send: async (client) => {
    const { status, headers, body } = await client.pages('/api/v2/rejections?', 10);
    const entries = (body as { data: (Entry & { id: string })[] }).data.map(({ id: _, ...entry }) => entry);
    return { status, headers, body: sorted(entries) };
  },
  expect: ({ rejections }, { isRecorded }, _call, { body }) => {
    const recorded = new Set((body as Entry[]).map(sortKey));
    return response(200, sorted(rejections.filter((entry) => isRecorded || recorded.has(sortKey(entry)))));
  },
};

export interface GetStats extends DelayedRead {
  readonly kind: 'get-stats';
}

interface Period {
  readonly start: string;
  created: number;
  updated: number;
  archived: number;
  restored: number;
  deleted: number;
  refused: number;
}

export const getStats: Definition<GetStats> = {
  scope: 'read',
  send: async (client, { isRecorded }) => {
    const { status, headers, body } = await client.request('GET', '/api/v2/stats?unit=hour');
    const { data, ...others } = body as { data: Period[] };
    return { status, headers, body: { ...others, data: isRecorded ? data : withoutRejections(data) } };
  },
  expect: (model, { isRecorded }) => {
    const data = periods(model);
    return response(200, {
      accounts: model.listed.length,
      archived: model.accounts.size - model.listed.length,
      unit: 'hour',
      data: isRecorded ? data : withoutRejections(data),
    });
  },
};

/** A change or rejection to count. */
interface Counted {
  readonly at: string;
  readonly kind: keyof typeof NOTHING;
}

const NOTHING = { created: 0, updated: 0, archived: 0, restored: 0, deleted: 0, refused: 0 };

function periods({ changes, deletedFromArchive, rejectedAt }: TenantModel): Period[] {
  const found = new Map<string, Period>();
  const rejections = rejectedAt.map((at) => ({ at: new Date(at).toISOString(), kind: 'refused' as const }));
  // A deletion takes an account out of the archive.
  const restored = deletedFromArchive.map((at) => ({ at, kind: 'restored' as const }));
  const all: readonly Counted[] = [...changes, ...restored, ...rejections];
  for (const { at, kind } of all) {
    const start = `${at.slice(0, 13)}:00:00.000Z`;
    const period = found.get(start) ?? { start, ...NOTHING };
    period[kind] += 1;
    found.set(start, period);
  }
  return [...found.values()].toSorted((a, b) => (a.start < b.start ? -1 : 1));
}

function withoutRejections(data: readonly Period[]): Period[] {
  const others = data.map((period) => ({ ...period, refused: 0 }));
  return others.filter(({ start: _, ...counts }) => Object.values(counts).some((count) => count > 0));
}

export interface ListAttributes {
  readonly kind: 'list-attributes';
}

interface Named {
  readonly name: string;
}

const byName = <T extends Named>(all: readonly T[]) => all.toSorted((a, b) => (a.name < b.name ? -1 : 1));

export const listAttributes: Definition<ListAttributes> = {
  scope: 'read',
  send: async (client) => {
    const { status, headers, body } = await client.request('GET', '/api/v2/attributes');
    const { data, undeclared } = body as { data: Named[]; undeclared: (Named & { guess: string })[] };
    const unguessed = undeclared.map(({ guess: _, ...field }) => field);
    return { status, headers, body: { data: byName(data), undeclared: byName(unguessed) } };
  },
  expect: ({ rules: { attributes }, accounts }) => {
    const holders = new Map<string, number>();
    for (const fields of accounts.values())
      for (const field of fields.keys()) holders.set(field, (holders.get(field) ?? 0) + 1);
    const data = [...attributes].map(([name, attribute]) => ({
      name,
      ...attribute,
      ...NO_PRESENTATION,
      index_progress: null,
      built_in: OWNABLE.includes(name) || Object.hasOwn(BUILT_IN, name),
      accounts: holders.get(name) ?? 0,
    }));
    const undeclared = [...holders]
      .filter(([name]) => !attributes.has(name) && !OWNABLE.includes(name))
      .map(([name, count]) => ({ name, accounts: count }));
    return response(200, { data: byName(data), undeclared: byName(undeclared) });
  },
};
