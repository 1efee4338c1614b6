/** Company names are made of a first word, a second one run into it, and a line of business: none is meant to exist. */
export const FIRST_WORDS = (
  'Alder Amber Ash Birch Bramble Bright Cedar Chalk Cinder Clover Cobalt Copper Crane Drift Dune ' +
  'Ember Fallow Fern Flint Frost Gale Glen Granite Harbour Hazel Heron Indigo Ivory Juniper ' +
  'Kestrel Lark Linden Lumen Maple Marble Marsh Meadow Moss Nimbus Oak Onyx Opal Otter Pebble Pine ' +
  'Plover Quarry Quill Raven Reed Ridge Rowan Saffron Sable Silver Slate Sorrel Spruce Summit ' +
  'Thistle Timber Umber Vale Verdant Willow Wren'
).split(' ');

export const SECOND_WORDS = (
  'beck bridge brook bury crest croft dale den field finch foot ford gate grove haven hollow holm ' +
  'keep land leaf light lock mark mere mill mont moor path point port reach rock row shore side ' +
  'spark spring stead stone stream thorn tide tower vane wall ward watch water way well wick wind ' +
  'wing wood works yard'
).split(' ');

/** What a company does, and the industry that its record names. */
export const BUSINESSES: readonly (readonly [word: string, industry: string])[] = [
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

/** Where companies and their sites are, and the region that their records name. */
export const CITIES: readonly (readonly [city: string, region: string])[] = [
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

/** What the parts of a group are called, sites first, then those above; where none is named, the region stays. */
export const DIVISIONS: readonly (readonly (readonly [division: string, region?: string])[])[] = [
  CITIES,
  [['North'], ['South'], ['East'], ['West']],
  [
    ['Europe', 'EMEA'],
    ['America', 'Americas'],
    ['Pacific', 'APAC'],
  ],
  [['Services'], ['Digital'], ['Operations']],
];
