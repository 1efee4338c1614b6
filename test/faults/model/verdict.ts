import { canonicalId, domainOf, type IdMode, isBlocked, sentId } from './canonical-id.js';
import { type Attribute, faultIn, isText, type Json, storedValue } from './stored-value.js';

/** What a tenant asks of records. */
export interface Rules {
  account_ids: IdMode;
  undeclared_fields: 'keep' | 'reject';
  readonly attributes: Map<string, Attribute>;
  readonly blocked: Set<string>;
}

/** What is to be stored, `null` for what is to be cleared; or messages by attribute. */
export type Verdict =
  | { readonly id: string; readonly patch: ReadonlyMap<string, Json>; readonly errors?: never }
  | { readonly errors: ReadonlyMap<string, readonly string[]>; readonly id?: never };

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

/** Of each message whether it applies, in the order of the table in the description of the interface. */
type Checks = readonly (readonly [applies: boolean, message: string])[];

export function verdictOn(record: Json, rules: Rules): Verdict {
  const sent = isObject(record) ? record : {};
  const idText = sentId(sent.account_id) ?? '';
  const id = canonicalId(idText, rules.account_ids);
  const named = (field: string, what: string) =>
    `Account ${[...idText].slice(0, 191).join('')}, ${field} ${what}`;
  const invalid = (field: string, kind: string) => named(field, `has invalid ${kind} value.`);
  const patch = new Map<string, Json>();
  const errors = new Map<string, string[]>();
  const note = (field: string, value: Json, checks: Checks) => {
    const messages = checks.filter(([applies]) => applies).map(([, message]) => message);
    if (messages.length > 0) errors.set(field, messages);
    else if (field !== 'account_id') patch.set(field, value);
  };

  const ofId: Checks = [
    [isLong(id), tooLong('account_id')],
    [rules.account_ids === 'domain' && domainOf(id) === undefined, NO_DOMAIN],
    [isBlocked(id, rules.blocked, rules.account_ids), BLOCKED],
    [!isText(idText), invalid('account_id', 'text')],
  ];
  note('account_id', id, idText === '' ? [[true, MISSING]] : ofId);
  if (sent.parent_account_id !== undefined) {
    const text = sent.parent_account_id === null ? '' : sentId(sent.parent_account_id);
    const parent = canonicalId(text ?? '', rules.account_ids);
    note('parent_account_id', parent === '' ? null : parent, [
      [text === undefined, noString('parent_account_id')],
      [isLong(parent), tooLong('parent_account_id')],
      [parent !== '' && parent === id, SAME],
      [!isText(text ?? ''), invalid('parent_account_id', 'text')],
    ]);
  }
  if (sent.name !== undefined) {
    const text = typeof sent.name === 'string' ? sent.name : '';
    note('name', sent.name, [
      [sent.name !== null && typeof sent.name !== 'string', noString('name')],
      [isLong(text), tooLong('name')],
      [!isText(text), invalid('name', 'text')],
    ]);
  }
  for (const [field, value] of Object.entries(sent)) {
    if (['account_id', 'parent_account_id', 'name'].includes(field)) continue;
    const attribute = rules.attributes.get(field);
    if (READ_ONLY.includes(field) || attribute?.read_only) {
      note(field, null, [[true, named(field, 'is read-only.')]]);
    } else if (attribute !== undefined) {
      const stored = value === null ? null : storedValue(value, attribute);
      note(field, stored ?? null, [[stored === undefined, invalid(field, attribute.type)]]);
    } else if (rules.undeclared_fields === 'reject') {
      note(field, null, [[true, named(field, `is not a known field.${suggestion(field, rules)}`)]]);
    } else {
      const fault = faultIn({ [field]: value });
      note(field, value, [[fault !== undefined, invalid(field, fault ?? '')]]);
    }
  }
  return errors.size > 0 ? { errors } : { id, patch };
}

function isObject(record: Json): record is { [key: string]: Json } {
  return typeof record === 'object' && record !== null && !Array.isArray(record);
}

/** The known field with the fewest typing errors, if these are two at most. */
function suggestion(field: string, { attributes }: Rules): string {
  const writable = [...attributes].filter(([, { read_only }]) => !read_only).map(([name]) => name);
  const known = ['account_id', 'parent_account_id', 'name', ...writable];
  const typos = (name: string) => distance(name.toLowerCase(), field.toLowerCase());
  const [nearest = ''] = known.toSorted((a, b) => typos(a) - typos(b));
  return typos(nearest) <= 2 ? ` Did you mean ${nearest}?` : '';
}

/** Of Levenshtein. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...b].entries())
      next.push(
        Math.min(
          (next[j] as number) + 1,
          (row[j + 1] as number) + 1,
          (row[j] as number) + (letter === other ? 0 : 1),
        ),
      );
    row = next;
  }
  return row.at(-1) as number;
}
