import type { Scope } from '../../domain/api-key.js';
import type { Attribute } from '../../domain/tenant.js';

type Declaration = Omit<Attribute, 'index'> & { readonly isIndexed: boolean };

const declare = (
  name: string,
  type: Attribute['type'],
  more: Partial<Omit<Declaration, 'name' | 'type'>> = {},
): Declaration => ({ name, type, choices: [], readOnly: false, isIndexed: false, ...more });

export const TIERS = ['Trial', 'Starter', 'Business', 'Enterprise'];
export const HEALTHS = ['good', 'watch', 'at risk'];
const REGIONS = ['EMEA', 'Americas', 'APAC'];
const INDUSTRIES = [
  'Education',
  'Energy',
  'Finance',
  'Healthcare',
  'Logistics',
  'Manufacturing',
  'Media',
  'Retail',
  'Technology',
];

/** The attributes that the tenant declares on its first day. */
export const FIRST_ATTRIBUTES: readonly Declaration[] = [
  declare('custom_Demo_Data', 'boolean'),
  declare('custom_Tier', 'choice', { choices: TIERS, isIndexed: true }),
  declare('custom_ARR', 'decimal'),
  declare('custom_Health', 'choice', { choices: HEALTHS, isIndexed: true }),
  declare('custom_Open_Tickets', 'integer'),
  declare('custom_Renewal_On', 'date'),
  declare('custom_Owner', 'text', { isIndexed: true }),
  declare('custom_Last_Login_At', 'datetime'),
  declare('custom_Region', 'choice', { choices: REGIONS, isIndexed: true }),
  declare('custom_Industry', 'choice', { choices: INDUSTRIES }),
  declare('custom_Is_Reference', 'boolean'),
  declare('custom_Legacy_Id', 'text'),
];

/** Later changes: a new region, and the id of the old system becomes read-only. */
export const LATER_ATTRIBUTES = {
  region: declare('custom_Region', 'choice', { choices: [...REGIONS, 'LATAM'], isIndexed: true }),
  legacyId: declare('custom_Legacy_Id', 'text', { readOnly: true }),
};

export const BLOCKED = ['*.test', 'placeholder.example'];

/** The body of `PUT /api/v2/attributes/<name>`. */
export function declarationBody({ type, choices, readOnly, isIndexed }: Declaration) {
  return { type, choices, read_only: readOnly, indexed: isIndexed };
}

/** The systems that push accounts, and their labels. None is expected regularly: after the demo is created, no more requests come. */
export const SOURCES = { crm: 'CRM', billing: 'Billing', product: 'Product' } as const;

/** The keys that are created over HTTP. The first key, with all scopes, is created with the tenant. */
export const KEYS = {
  crm: { label: 'CRM sync', scopes: ['sync'], source: 'crm' },
  billing: { label: 'Billing, nightly and hourly', scopes: ['sync'], source: 'billing' },
  product: { label: 'Product usage', scopes: ['sync', 'read'], source: 'product' },
  reader: { label: 'Dashboards, read only', scopes: ['read'], source: 'default' },
  connector: { label: 'Old CRM connector', scopes: ['sync'], source: 'crm', days: 5 },
  mistake: { label: 'Made by mistake', scopes: ['sync', 'admin'], source: 'crm' },
} as const satisfies Record<string, DemoKey>;

export interface DemoKey {
  readonly label: string;
  readonly scopes: readonly Scope[];
  readonly source: keyof typeof SOURCES | 'default';
  /** Expires after so many days. */
  readonly days?: number;
}

export type Sender = 'admin' | keyof typeof KEYS;
