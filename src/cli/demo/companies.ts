import type { Random } from './random.js';

export interface Company {
  /** Below `.example`, a suffix that cannot be registered. */
  readonly id: string;
  readonly name: string;
  readonly parent?: string;
  readonly industry: string;
  readonly region: string;
}

/** The cumulative share of each hierarchy, and its range of subsidiaries for each level. */
const SHAPES: readonly { readonly upTo: number; readonly below: readonly (readonly [number, number])[] }[] = [
  {
    upTo: 0.01,
    below: [
      [2, 3],
      [1, 2],
      [1, 2],
      [1, 3],
    ],
  },
  {
    upTo: 0.06,
    below: [
      [2, 4],
      [1, 4],
    ],
  },
  { upTo: 0.2, below: [[2, 6]] },
  { upTo: 1, below: [] },
];
const FAMILIES_PER_LOST_PARENT = 300;

/** Companies, each after its parent. The first family has five levels, the second is a cycle, the third an orphan. */
export function makeCompanies(count: number, random: Random): Company[] {
  const companies: Company[] = [];
  const taken = new Set<string>();
  for (let families = 0; companies.length < count; families += 1) {
    const head = newCompany(random, taken);
    if (families === 1) companies.push(...cycleOf(head));
    else if (families % FAMILIES_PER_LOST_PARENT === 2) companies.push(orphan(head));
    else companies.push(...familyOf(head, families === 0 ? 0 : random.next(), random));
  }
  return companies.slice(0, count);
}

function newCompany(random: Random, taken: Set<string>): Company {
  for (;;) {
    const [business, industry] = random.pick(BUSINESSES);
    const name = `${random.pick(FIRST_WORDS)}${random.pick(SECOND_WORDS)} ${business}`;
    const id = random.isChance(0.1) ? `crm-${random.between(100_000, 999_999)}` : slugOf(name);
    if (taken.has(id) || taken.has(name)) continue;
    taken.add(id).add(name);
    return { id: `${id}.example`, name, industry, region: random.pick(CITIES)[1] };
  }
}

function familyOf(head: Company, roll: number, random: Random): Company[] {
  const below = SHAPES.find(({ upTo }) => roll < upTo)?.below ?? [];
  const name = below.length > 1 ? `${head.name} Group` : head.name;
  return [{ ...head, name }, ...partsOf(head, below, random)];
}

function partsOf(whole: Company, below: readonly (readonly [number, number])[], random: Random): Company[] {
  const [range, ...deeper] = below;
  if (range === undefined) return [];
  const isSite = deeper.length === 0;
  const divisions = (DIVISIONS[deeper.length] ?? []).filter(
    ([, region]) => !isSite || region === whole.region,
  );
  const first = random.between(0, divisions.length - 1);
  const count = Math.min(random.between(...range), divisions.length);
  return [...divisions.slice(first), ...divisions.slice(0, first)]
    .slice(0, count)
    .flatMap(([division, region = whole.region]) => {
      const id = `${slugOf(division)}.${whole.id}`;
      const part = { ...whole, id, name: `${whole.name} ${division}`, parent: whole.id, region };
      return [part, ...partsOf(part, deeper, random)];
    });
}

/** Three companies that are each other's parents, as a system can report them during a restructuring. */
function cycleOf(head: Company): Company[] {
  const names = ['Holding', 'Finance', 'Trading'];
  const ids = names.map((name) => `${slugOf(name)}.${head.id}`);
  return names.map((name, i) => ({
    ...head,
    id: ids[i] as string,
    name: `${head.name} ${name}`,
    parent: ids[(i + 1) % ids.length] as string,
  }));
}

function orphan(head: Company): Company {
  return { ...head, parent: `former-parent.${head.id}` };
}

function slugOf(name: string): string {
  return name.toLowerCase().replaceAll(' ', '-');
}

/** A company name consists of two joined words and a line of business. No real company is intended. */
const FIRST_WORDS = (
  'Alder Amber Ash Birch Bramble Bright Cedar Chalk Cinder Clover Cobalt Copper Crane Drift Dune ' +
  'Ember Fallow Fern Flint Frost Gale Glen Granite Harbour Hazel Heron Indigo Ivory Juniper ' +
  'Kestrel Lark Linden Lumen Maple Marble Marsh Meadow Moss Nimbus Oak Onyx Opal Otter Pebble Pine ' +
  'Plover Quarry Quill Raven Reed Ridge Rowan Saffron Sable Silver Slate Sorrel Spruce Summit ' +
  'Thistle Timber Umber Vale Verdant Willow Wren'
).split(' ');

const SECOND_WORDS = (
  'beck bridge brook bury crest croft dale den field finch foot ford gate grove haven hollow holm ' +
  'keep land leaf light lock mark mere mill mont moor path point port reach rock row shore side ' +
  'spark spring stead stone stream thorn tide tower vane wall ward watch water way well wick wind ' +
  'wing wood works yard'
).split(' ');

/** Lines of business, with the industry in the record. */
const BUSINESSES: readonly (readonly [word: string, industry: string])[] = [
  ['Freight', 'Logistics'],
  ['Shipping', 'Logistics'],
  ['Couriers', 'Logistics'],
  ['Foods', 'Retail'],
  ['Outfitters', 'Retail'],
  ['Market', 'Retail'],
  ['Energy', 'Energy'],
  ['Solar', 'Energy'],
  ['Grid', 'Energy'],
  ['Health', 'Healthcare'],
  ['Clinics', 'Healthcare'],
  ['Pharma', 'Healthcare'],
  ['Capital', 'Finance'],
  ['Insurance', 'Finance'],
  ['Payments', 'Finance'],
  ['Software', 'Technology'],
  ['Systems', 'Technology'],
  ['Networks', 'Technology'],
  ['Robotics', 'Manufacturing'],
  ['Tooling', 'Manufacturing'],
  ['Castings', 'Manufacturing'],
  ['Learning', 'Education'],
  ['Press', 'Media'],
  ['Studios', 'Media'],
];

/** Locations of companies and sites, with the region in the record. */
const CITIES: readonly (readonly [city: string, region: string])[] = [
  ['Berlin', 'EMEA'],
  ['Lisbon', 'EMEA'],
  ['Dublin', 'EMEA'],
  ['Oslo', 'EMEA'],
  ['Vienna', 'EMEA'],
  ['Nairobi', 'EMEA'],
  ['Warsaw', 'EMEA'],
  ['Milan', 'EMEA'],
  ['Boston', 'Americas'],
  ['Denver', 'Americas'],
  ['Austin', 'Americas'],
  ['Toronto', 'Americas'],
  ['Bogota', 'Americas'],
  ['Lima', 'Americas'],
  ['Santiago', 'Americas'],
  ['Osaka', 'APAC'],
  ['Sydney', 'APAC'],
  ['Singapore', 'APAC'],
  ['Seoul', 'APAC'],
  ['Pune', 'APAC'],
];

/** Teams, not people. */
export const OWNERS = [
  'Key accounts 1',
  'Key accounts 2',
  'Enterprise north',
  'Enterprise south',
  'Mid-market 1',
  'Mid-market 2',
  'Mid-market 3',
  'Digital success',
  'Partner desk',
  'Renewals desk',
];

export const NOTES = [
  'Wants a training day before the next roll-out.',
  'Champion changed teams; find the new one.',
  'Asked for single sign-on in every call this quarter.',
  'Very happy with support. Could speak at the user group.',
  'Budget is frozen until the new fiscal year.',
  'Migrating from an older system, half of the sites are done.',
  'Licence audit planned together with procurement.',
];

/**
 * Names of the parts of a group: sites first, then higher levels. Without a region, a part has the region of its
 * parent.
 */
const DIVISIONS: readonly (readonly (readonly [division: string, region?: string])[])[] = [
  CITIES,
  [['North'], ['South'], ['East'], ['West']],
  [
    ['Europe', 'EMEA'],
    ['America', 'Americas'],
    ['Pacific', 'APAC'],
  ],
  [['Services'], ['Digital'], ['Operations']],
];
