import type { Scope } from '../../domain/api-key.js';
import type { Presentation } from '../../domain/presentation.js';
import type { Attribute } from '../../domain/tenant.js';

type Declaration = Omit<Attribute, 'index' | 'presentation'> & {
  readonly isIndexed: boolean;
  readonly presentation?: Partial<Presentation>;
};

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

const CONTRACT = 'Contract';
const RELATIONSHIP = 'Relationship';
const COMPANY = 'Company';

/** The attributes that the tenant declares on its first day, and the built-in ones that it gives a label. */
export const FIRST_ATTRIBUTES: readonly Declaration[] = [
  declare('custom_Demo_Data', 'boolean'),
  declare('custom_Tier', 'choice', {
    choices: TIERS,
    isIndexed: true,
    presentation: { label: 'Tier', group: CONTRACT, position: 10 },
  }),
  declare('licenses', 'integer', {
    presentation: { label: 'Licences', unit: 'seats', group: CONTRACT, position: 11 },
  }),
  declare('custom_ARR', 'decimal', {
    presentation: {
      label: 'ARR',
      description: 'Annual recurring revenue, with tax.',
      unit: '€',
      group: CONTRACT,
      position: 12,
    },
  }),
  declare('custom_Renewal_On', 'date', {
    presentation: { label: 'Next renewal', group: CONTRACT, position: 13 },
  }),
  declare('custom_Health', 'choice', {
    choices: HEALTHS,
    isIndexed: true,
    presentation: {
      label: 'Health',
      description: 'How likely the customer is to renew, as the account owner sees it.',
      group: RELATIONSHIP,
      position: 20,
    },
  }),
  declare('custom_Owner', 'text', {
    isIndexed: true,
    presentation: { label: 'Account owner', group: RELATIONSHIP, position: 21 },
  }),
  declare('custom_Open_Tickets', 'integer', {
    presentation: { label: 'Open tickets', group: RELATIONSHIP, position: 22 },
  }),
  declare('custom_Last_Login_At', 'datetime', {
    presentation: { label: 'Last login', group: RELATIONSHIP, position: 23 },
  }),
  declare('custom_Is_Reference', 'boolean', {
    presentation: { label: 'Reference customer', group: RELATIONSHIP, position: 24 },
  }),
  declare('custom_Region', 'choice', {
    choices: REGIONS,
    isIndexed: true,
    presentation: { label: 'Region', group: COMPANY, position: 30 },
  }),
  declare('custom_Industry', 'choice', {
    choices: INDUSTRIES,
    presentation: { label: 'Industry', group: COMPANY, position: 31 },
  }),
  declare('custom_External_Created_On', 'date', {
    presentation: { label: 'Customer since', group: COMPANY, position: 32 },
  }),
  declare('custom_Legacy_Id', 'text', {
    presentation: {
      label: 'Legacy id',
      description: 'The id in the system that the CRM has replaced.',
      group: COMPANY,
      position: 33,
    },
  }),
];

/** Later changes: a new region, and the id of the old system becomes read-only. */
export const LATER_ATTRIBUTES = {
  region: declare('custom_Region', 'choice', { choices: [...REGIONS, 'LATAM'], isIndexed: true }),
  legacyId: declare('custom_Legacy_Id', 'text', { readOnly: true }),
};

export const BLOCKED = ['*.test', 'placeholder.example'];

/** The body of `PUT /api/v2/attributes/<name>`. */
export function declarationBody({ type, choices, readOnly, isIndexed, presentation }: Declaration) {
  return { type, choices, read_only: readOnly, indexed: isIndexed, ...presentation };
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
