import type { OwnedFieldMode } from './account.js';
import type { AttributeType, TypeName } from './attribute-types.js';
import { type BlockedIds, blockedIds } from './blocked-ids.js';
import { FieldSuggestions } from './field-suggestions.js';
import { canonicalDomain, canonicalIdentifier } from './identifier.js';
import type { Presentation } from './presentation.js';

/** The allowed range of a retention time in days. */
export interface DayRange {
  readonly min: number;
  readonly max: number;
}

export const HISTORY_DAYS: DayRange = { min: 1, max: 36_500 };
export const REJECTION_DAYS: DayRange = { min: 1, max: 90 };

/** Used if neither the tenant nor the server sets it. */
export const DEFAULT_REJECTION_DAYS = 7;

export const DAY_MS = 86_400_000;

/** The start of the last `days` days. */
export function oldestKept(now: number, days: number): number {
  return now - days * DAY_MS;
}

/** `undefined` if the text is not a number of days in that range. */
export function readDays(text: string, { min, max }: DayRange): number | undefined {
  const days = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  return days >= min && days <= max ? days : undefined;
}

export const ACCOUNT_ID_MODES = ['any', 'domain'] as const;
export type AccountIdMode = (typeof ACCOUNT_ID_MODES)[number];

export const UNDECLARED_FIELD_MODES = ['keep', 'reject'] as const;
export type UndeclaredFieldMode = (typeof UNDECLARED_FIELD_MODES)[number];

export interface Attribute extends AttributeType {
  readonly name: string;
  readonly readOnly: boolean;
  /** The source that owns it; absent if every source may change it. */
  readonly owner?: FieldOwner;
  /** The state of its index; absent if the attribute is not indexed. */
  readonly index?: 'building' | 'ready';
  /** How many accounts are indexed so far; only while the index is being built. */
  readonly indexedAccounts?: number;
  /** Absent if nothing of it is set. */
  readonly presentation?: Presentation;
}

export interface FieldOwner {
  readonly source: string;
  /** What happens to different values of other sources. */
  readonly others: OwnedFieldMode;
}

/** Fields of every account that are no attributes, but may be owned like one. */
export const OWNABLE_FIELDS: readonly Attribute[] = [
  { name: 'name', type: 'text', choices: [], readOnly: false },
  { name: 'parent_account_id', type: 'text', choices: [], readOnly: false },
];

/** Typed fields that every tenant has, besides the identifiers and the name. */
export const BUILT_IN_ATTRIBUTES: readonly Attribute[] = [
  { name: 'licenses', type: 'integer', choices: [], readOnly: false },
  { name: 'custom_Is_Valid', type: 'boolean', choices: [], readOnly: false },
  { name: 'custom_External_Created_On', type: 'date', choices: [], readOnly: false },
  { name: 'custom_External_Created_At', type: 'datetime', choices: [], readOnly: false },
];

const BUILT_IN_FIELDS: ReadonlyMap<string, Attribute> = new Map(
  [...BUILT_IN_ATTRIBUTES, ...OWNABLE_FIELDS].map((attribute) => [attribute.name, attribute]),
);

/** Whether it is a field of every account that is no attribute, but may be owned like one. */
export function isOwnableField(name: string): boolean {
  return OWNABLE_FIELDS.some((field) => field.name === name);
}

/** The share of a tenant's accounts that are indexed, in hundredths; undefined unless the index is being built. */
export function indexProgress({ indexedAccounts }: Attribute, accounts: number): number | undefined {
  if (indexedAccounts === undefined) return undefined;
  // The number of accounts may be a second old, and less than are indexed.
  return accounts === 0 ? 0 : Math.min(1, Math.floor((100 * indexedAccounts) / accounts) / 100);
}

/** Without the built-in attributes. */
export const MAX_ATTRIBUTES = 1_000;

export function isTenantName(name: string): boolean {
  return /^[a-z0-9][a-z0-9-]{0,62}$/.test(name);
}

export function isBuiltIn(name: string): boolean {
  return builtIn(name) !== undefined;
}

/** A built-in attribute, or a field that can only be owned. */
export function builtIn(name: string): Attribute | undefined {
  return BUILT_IN_FIELDS.get(name);
}

/** Why a built-in attribute cannot have this declaration, or `undefined`. */
export function builtInProblem(name: string, type: TypeName, readOnly: boolean): string | undefined {
  if (builtIn(name)?.type !== type) return `${name} is built in; its type cannot be changed.`;
  return readOnly ? `${name} is built in; it cannot be read-only.` : undefined;
}

/** Why this is not a valid attribute name, or `undefined`. */
export function attributeNameProblem(name: string): string | undefined {
  if (!/^custom_[\p{L}\p{N}_.-]{1,100}$/u.test(name)) {
    return `${JSON.stringify(name)} cannot name an attribute: it begins with custom_, followed by letters, digits, underscores, dots or hyphens, 100 at most.`;
  }
  return undefined;
}

/** Why an attribute of this type cannot have these choices, or `undefined`. */
export function choicesProblem(type: TypeName, choices: readonly string[]): string | undefined {
  if (type === 'choice') return choices.length === 0 ? 'a choice needs its values' : undefined;
  return choices.length > 0 ? 'only a choice has values to choose from' : undefined;
}

/** Fields that the service sets itself. */
export const READ_ONLY_FIELDS: ReadonlySet<string> = new Set(['created_at', 'updated_at', 'revision']);

/** What records are checked against. */
export interface RuleSettings {
  readonly accountIds: AccountIdMode;
  readonly undeclaredFields: UndeclaredFieldMode;
  readonly attributes: readonly Attribute[];
  readonly blockedPatterns: readonly string[];
}

export interface TenantSettings extends RuleSettings {
  /** The sources of which it is stored which accounts they push. */
  readonly trackedSources: readonly string[];
}

/** A tenant's settings, prepared for the validation of records. */
export interface TenantRules {
  readonly accountIds: AccountIdMode;
  readonly undeclaredFields: UndeclaredFieldMode;
  readonly attributes: ReadonlyMap<string, Attribute>;
  /** Covers all known fields that a request can set. */
  readonly suggestions: Pick<FieldSuggestions, 'known' | 'closestTo'>;
  readonly blocked: BlockedIds;
  /** The owners of fields that have one. */
  readonly owners: ReadonlyMap<string, FieldOwner>;
}

export function tenantRules(settings: RuleSettings): TenantRules {
  const { accountIds, undeclaredFields } = settings;
  const attributes = new Map(
    [...BUILT_IN_ATTRIBUTES, ...settings.attributes]
      .filter(({ name }) => !isOwnableField(name))
      .map((attribute) => [attribute.name, attribute]),
  );
  const owners = new Map(
    settings.attributes.flatMap(({ name, owner }) => (owner === undefined ? [] : [[name, owner] as const])),
  );
  const writable = [...attributes.values()].filter(({ readOnly }) => !readOnly).map(({ name }) => name);
  const suggestions = new FieldSuggestions(['account_id', 'parent_account_id', 'name', ...writable]);
  const blocked = blockedIds(settings.blockedPatterns, (id) => canonicalFor(accountIds, id));
  return { accountIds, undeclaredFields, attributes, suggestions, blocked, owners };
}

/** In the mode `domain`, an IDN and its ASCII form are the same identifier; other texts stay unchanged. */
export function canonicalFor(mode: AccountIdMode, text: string): string {
  const canonical = canonicalIdentifier(text);
  return mode === 'domain' ? (canonicalDomain(canonical) ?? canonical) : canonical;
}
