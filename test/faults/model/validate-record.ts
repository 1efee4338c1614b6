import { canonicalId, domainOf, type IdMode, isBlocked, sentId } from './canonical-id.js';
import { type Attribute, invalidTypeIn, isObject, isText, type Json, storedValue } from './stored-value.js';
import { suggestion } from './suggestion.js';

/** The validation rules of a tenant. */
export interface Rules {
  account_ids: IdMode;
  undeclared_fields: 'keep' | 'reject';
  history_days: number | null;
  rejection_days: number | null;
  readonly attributes: Map<string, Attribute>;
  readonly blocked: Set<string>;
}

/** The values to store, `null` for fields to clear; or the error messages by attribute. */
export type ValidationResult =
  | { readonly id: string; readonly patch: ReadonlyMap<string, Json>; readonly errors?: never }
  | {
      readonly errors: ReadonlyMap<string, readonly string[]>;
      /** Undefined if no account can have the id. One that is blocked now, or no domain, can be of an older account. */
      readonly id: string | undefined;
    };

const READ_ONLY = ['created_at', 'updated_at', 'revision'];
const [MISSING, NO_DOMAIN, BLOCKED, SAME] = [
  'account_id does not exist.',
  'account_id must be a valid domain name.',
  'account_id blocked by system.',
  "account_id and parent_account_id can't be same.",
];
const tooLong = (field: string) => `The ${field} may not be greater than 191 characters.`;
const noString = (field: string) => `The ${field} must be a string.`;
const isLong = (text: string) => [...text].length > 191;

/** The messages that may apply, in the order of the contract. */
type Checks = readonly (readonly [applies: boolean, message: string])[];
/** The value to store, and its checks. */
type CheckedValue = readonly [value: Json, checks: Checks];

interface Context {
  readonly rules: Rules;
  /** The id in canonical form. */
  readonly id: string;
  /** The id as sent, trimmed; empty if there is none. */
  readonly idText: string;
}

/** The messages of these fields come first, in this order. */
const FIRST = new Map<string, (sent: Json, context: Context, field: string) => CheckedValue>([
  ['account_id', readId],
  ['parent_account_id', readParent],
  ['name', readName],
]);

export function validateRecord(record: Json, rules: Rules): ValidationResult {
  const sent = isObject(record) ? record : {};
  const idText = sentId(sent.account_id) ?? '';
  const context = { rules, idText, id: canonicalId(idText, rules.account_ids) };
  const patch = new Map<string, Json>();
  const errors = new Map<string, string[]>();
  for (const field of new Set([...FIRST.keys(), ...Object.keys(sent)])) {
    if (sent[field] === undefined && field !== 'account_id') continue;
    const [value, checks] = (FIRST.get(field) ?? readOther)(sent[field] ?? null, context, field);
    const messages = checks.filter(([applies]) => applies).map(([, message]) => message);
    if (messages.length > 0) errors.set(field, messages);
    else if (field !== 'account_id') patch.set(field, value);
  }
  const canBeAccount = idText !== '' && !isLong(context.id) && isText(idText);
  if (errors.size > 0) return { errors, id: canBeAccount ? context.id : undefined };
  return { id: context.id, patch };
}

function readId(_sent: Json, context: Context): CheckedValue {
  const { rules, id, idText } = context;
  if (idText === '') return [null, [[true, MISSING]]];
  return [
    id,
    [
      [isLong(id), tooLong('account_id')],
      [rules.account_ids === 'domain' && domainOf(id) === undefined, NO_DOMAIN],
      [isBlocked(id, rules.blocked, rules.account_ids), BLOCKED],
      [!isText(idText), invalid(context, 'account_id', 'text')],
    ],
  ];
}

function readParent(sent: Json, context: Context): CheckedValue {
  const text = sent === null ? '' : sentId(sent);
  const parent = canonicalId(text ?? '', context.rules.account_ids);
  return [
    parent === '' ? null : parent,
    [
      [text === undefined, noString('parent_account_id')],
      [isLong(parent), tooLong('parent_account_id')],
      [parent !== '' && parent === context.id, SAME],
      [!isText(text ?? ''), invalid(context, 'parent_account_id', 'text')],
    ],
  ];
}

function readName(sent: Json, context: Context): CheckedValue {
  const text = typeof sent === 'string' ? sent : '';
  return [
    sent,
    [
      [sent !== null && typeof sent !== 'string', noString('name')],
      [isLong(text), tooLong('name')],
      [!isText(text), invalid(context, 'name', 'text')],
    ],
  ];
}

function readOther(sent: Json, context: Context, field: string): CheckedValue {
  const { rules } = context;
  const attribute = rules.attributes.get(field);
  if (READ_ONLY.includes(field) || attribute?.read_only)
    return [null, [[true, named(context, field, 'is read-only.')]]];
  if (attribute !== undefined) {
    const stored = sent === null ? null : storedValue(sent, attribute);
    return [stored ?? null, [[stored === undefined, invalid(context, field, attribute.type)]]];
  }
  if (rules.undeclared_fields === 'reject')
    return [
      null,
      [[true, named(context, field, `is not a known field.${suggestion(field, rules.attributes)}`)]],
    ];
  const invalidType = invalidTypeIn({ [field]: sent });
  return [sent, [[invalidType !== undefined, invalid(context, field, invalidType ?? '')]]];
}

function named({ idText }: Context, field: string, what: string): string {
  return `Account ${[...idText].slice(0, 191).join('')}, ${field} ${what}`;
}

function invalid(context: Context, field: string, kind: string): string {
  return named(context, field, `has invalid ${kind} value.`);
}
