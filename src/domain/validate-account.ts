import type { AccountPatch, OwnedFieldMode } from './account.js';
import { readValue } from './attribute-types.js';
import { blockOf } from './blocked-ids.js';
import { canonicalDomain, identifierText } from './identifier.js';
import { isJsonObject, type JsonValue } from './json.js';
import * as messages from './messages.js';
import { canonicalFor, READ_ONLY_FIELDS, type TenantRules } from './tenant.js';
import { firstCharacters, isLongerThan, isStorableText } from './text.js';

const MAX_NAME_LENGTH = 191;
const MAX_IDENTIFIER_LENGTH = 191;

/**
 * Maps each attribute to its messages, in the order of the response. A map, because an object would put fields with
 * numeric names before the identifiers.
 */
export type AttributeErrors = ReadonlyMap<string, readonly string[]>;

export type Validation =
  | { readonly patch: AccountPatch; readonly errors?: never; readonly accountId?: never }
  | {
      readonly errors: AttributeErrors;
      /** The account that the record names, which may exist even if its identifier is not allowed any more. */
      readonly accountId: string | undefined;
      readonly patch?: never;
    };

/** The value to store, or the messages about the sent value. */
type Reading = { readonly value: JsonValue } | { readonly problems: readonly string[] };

/**
 * Checks one sent record against the rules of its tenant: returns the patch to store, or the messages of all
 * attributes.
 * `id` is the sent identifier as messages show it; `accountId` is its canonical form. `source` is that of the record.
 */
export function validateAccount(record: unknown, rules: TenantRules, source?: string): Validation {
  const sent = isJsonObject(record) ? record : {};
  const idText = identifierText(sent.account_id) ?? '';
  const id = shownId(idText);
  const accountId = canonicalFor(rules.accountIds, idText);
  const fields: Record<string, JsonValue> = {};
  // Created on the first error, because most records have none.
  let errors: Map<string, readonly string[]> | undefined;
  const reject = (name: string, problems: readonly string[]) => {
    errors ??= new Map();
    errors.set(name, problems);
  };
  const add = (name: string, reading: Reading) => {
    if ('problems' in reading) reject(name, reading.problems);
    else fields[name] = reading.value;
  };

  const idProblems = accountIdProblems(idText, accountId, id, rules);
  if (idProblems.length > 0) reject('account_id', idProblems);
  const { parent_account_id: parent, name } = sent;
  if (parent !== undefined) add('parent_account_id', readParent(parent, accountId, id, rules));
  if (name !== undefined) add('name', readName(name, id));
  for (const field of Object.keys(sent)) {
    if (field === 'account_id' || field === 'parent_account_id' || field === 'name') continue;
    add(field, readField(field, sent[field] ?? null, id, rules));
  }
  if (errors === undefined) {
    const owned = rules.owners.size === 0 ? undefined : ownedByOthers(fields, rules, source);
    return { patch: owned === undefined ? { accountId, fields } : { accountId, fields, owned } };
  }
  return { errors, accountId: canBeStored(idText, accountId) ? accountId : undefined };
}

/** The messages about fields that another source owns, in the order of the response. */
export function ownershipErrors(record: unknown, fields: readonly string[]): AttributeErrors {
  const id = shownId((isJsonObject(record) ? identifierText(record.account_id) : undefined) ?? '');
  return new Map(fields.map((field) => [field, [messages.readOnly(id, field)]]));
}

function shownId(text: string): string {
  return firstCharacters(text, MAX_IDENTIFIER_LENGTH);
}

function ownedByOthers(
  fields: Readonly<Record<string, JsonValue>>,
  { owners }: TenantRules,
  source: string | undefined,
): AccountPatch['owned'] {
  let owned: Map<string, OwnedFieldMode> | undefined;
  for (const field of Object.keys(fields)) {
    const owner = owners.get(field);
    if (owner === undefined || owner.source === source) continue;
    owned ??= new Map();
    owned.set(field, owner.others);
  }
  return owned;
}

function canBeStored(idText: string, accountId: string): boolean {
  return idText !== '' && !isLongerThan(accountId, MAX_IDENTIFIER_LENGTH) && isStorableText(idText);
}

function accountIdProblems(text: string, accountId: string, id: string, rules: TenantRules): string[] {
  if (text === '') return [messages.ACCOUNT_ID_MISSING];
  const problems: string[] = [];
  const tooLong = isLongerThan(accountId, MAX_IDENTIFIER_LENGTH);
  if (tooLong) problems.push(messages.tooLong('account_id', MAX_IDENTIFIER_LENGTH));
  if (rules.accountIds === 'domain' && canonicalDomain(accountId) === undefined) {
    problems.push(messages.ACCOUNT_ID_NO_DOMAIN);
  }
  if (blockOf(accountId, rules.blocked) !== undefined) problems.push(messages.ACCOUNT_ID_BLOCKED);
  if (!isStorableText(text)) problems.push(messages.invalidValue(id, 'account_id', 'text'));
  return problems;
}

function readParent(sent: JsonValue, accountId: string, id: string, rules: TenantRules): Reading {
  const text = sent === null ? '' : identifierText(sent);
  if (text === undefined) return { problems: [messages.mustBeString('parent_account_id')] };
  if (text === '') return { value: null };
  const parent = canonicalFor(rules.accountIds, text);
  const problems: string[] = [];
  if (isLongerThan(parent, MAX_IDENTIFIER_LENGTH)) {
    problems.push(messages.tooLong('parent_account_id', MAX_IDENTIFIER_LENGTH));
  }
  if (parent === accountId) problems.push(messages.SELF_PARENT);
  if (!isStorableText(text)) problems.push(messages.invalidValue(id, 'parent_account_id', 'text'));
  return problems.length > 0 ? { problems } : { value: parent };
}

function readName(sent: JsonValue, id: string): Reading {
  if (sent === null) return { value: null };
  if (typeof sent !== 'string') return { problems: [messages.mustBeString('name')] };
  const problems: string[] = [];
  if (isLongerThan(sent, MAX_NAME_LENGTH)) problems.push(messages.tooLong('name', MAX_NAME_LENGTH));
  if (!isStorableText(sent)) problems.push(messages.invalidValue(id, 'name', 'text'));
  return problems.length > 0 ? { problems } : { value: sent };
}

function readField(field: string, sent: JsonValue, id: string, rules: TenantRules): Reading {
  const attribute = rules.attributes.get(field);
  if (READ_ONLY_FIELDS.has(field) || attribute?.readOnly) {
    return { problems: [messages.readOnly(id, field)] };
  }
  if (attribute === undefined) return readUndeclared(field, sent, id, rules);
  if (sent === null) return { value: null };
  const value = readValue(sent, attribute);
  return value === undefined ? { problems: [messages.invalidValue(id, field, attribute.type)] } : { value };
}

function readUndeclared(field: string, sent: JsonValue, id: string, rules: TenantRules): Reading {
  if (rules.undeclaredFields === 'reject') {
    return { problems: [messages.unknownField(id, field, rules.suggestions.closestTo(field))] };
  }
  const fault = isStorableText(field) ? storageFault(sent) : 'text';
  return fault === undefined ? { value: sent } : { problems: [messages.invalidValue(id, field, fault)] };
}

/** The type of the first nested value that cannot be stored and returned unchanged. */
function storageFault(value: JsonValue): 'text' | 'integer' | 'decimal' | undefined {
  if (typeof value === 'string') return isStorableText(value) ? undefined : 'text';
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) return 'decimal';
    return Number.isInteger(value) && !Number.isSafeInteger(value) ? 'integer' : undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, inner] of Object.entries(value)) {
    const fault = isStorableText(key) ? storageFault(inner) : 'text';
    if (fault !== undefined) return fault;
  }
  return undefined;
}
