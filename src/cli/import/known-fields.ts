import type { Attribute, Attributes } from '@account-sync/client';
import { BUILT_IN_ATTRIBUTES } from '../../domain/tenant.js';

/** A field that the server has a use for. */
export interface KnownField {
  readonly name: string;
  /** For people: the type that its values must have. */
  readonly type: string;
  readonly attribute?: KnownAttribute;
}

type KnownAttribute = Pick<Attribute, 'name' | 'type' | 'choices' | 'read_only'>;

/** Names that other systems have for a field. A map, since a field may be called `constructor`. */
const SYNONYMS: ReadonlyMap<string, readonly string[]> = new Map([
  ['account_id', ['id']],
  ['parent_account_id', ['parentid']],
  ['name', ['accountname']],
]);

/** What is said of a field that the server takes without knowing its type. */
export const UNDECLARED = 'any: not declared';

const BUILT_IN: readonly KnownAttribute[] = BUILT_IN_ATTRIBUTES.map(({ readOnly, ...attribute }) => ({
  ...attribute,
  read_only: readOnly,
}));

const READ_ONLY = ['created_at', 'updated_at', 'revision'];

/** What the names in a file can mean. */
export class KnownFields {
  readonly #byName = new Map<string, KnownField>();
  readonly #bySpelling: ReadonlyMap<string, string | undefined>;

  /** Without a schema, only what every server has is known. */
  constructor(schema: Attributes | undefined) {
    const { data, undeclared } = schema ?? { data: BUILT_IN, undeclared: [] };
    const fields: KnownField[] = [
      { name: 'account_id', type: 'id' },
      { name: 'parent_account_id', type: 'id' },
      { name: 'name', type: 'text' },
      ...data.map((attribute) => ({ name: attribute.name, type: typeOf(attribute), attribute })),
      ...undeclared.map(({ name }) => ({ name, type: UNDECLARED })),
    ];
    for (const field of fields) this.#byName.set(field.name, field);
    const names = [...this.#byName.keys()];
    const looser = names.flatMap((name) =>
      [name.replace(/^custom_/, ''), ...(SYNONYMS.get(name) ?? [])].map((way) => [way, name] as const),
    );
    // A whole name in another spelling goes before one that is only a part of a name.
    this.#bySpelling = new Map([...spellings(looser), ...spellings(names.map((name) => [name, name]))]);
  }

  /** Those that can be sent. */
  get writable(): string[] {
    return [...this.#byName.keys()].filter((name) => !this.isReadOnly(name));
  }

  find(name: string): KnownField | undefined {
    return this.#byName.get(name);
  }

  /** The field whose name this is in another spelling. */
  guess(name: string): KnownField | undefined {
    const known = this.#bySpelling.get(spelling(name));
    return known === undefined ? undefined : this.find(known);
  }

  isReadOnly(name: string): boolean {
    return READ_ONLY.includes(name) || this.find(name)?.attribute?.read_only === true;
  }
}

/** Two fields of one spelling are none: which is meant is for the caller to say. */
function spellings(
  ways: readonly (readonly [way: string, field: string])[],
): Map<string, string | undefined> {
  const found = new Map<string, string | undefined>();
  for (const [way, field] of ways) {
    const key = spelling(way);
    // Without letters and digits there is nothing to tell names apart by: 🔥 is not ❤.
    if (key === '') continue;
    found.set(key, found.has(key) && found.get(key) !== field ? undefined : field);
  }
  return found;
}

/** `Account ID`, `AccountId` and `account-id` are one. */
function spelling(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
}

function typeOf({ type, choices }: KnownAttribute): string {
  return type === 'choice' ? `choice: ${choices.join(', ')}` : type;
}
