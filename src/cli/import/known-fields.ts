import type { Attribute, Attributes } from '@account-sync/client';
import { BUILT_IN_ATTRIBUTES } from '../../domain/tenant.js';

/** A field that the server knows. */
export interface KnownField {
  readonly name: string;
  /** The readable type of its values. */
  readonly type: string;
  readonly attribute?: KnownAttribute;
}

type KnownAttribute = Pick<Attribute, 'name' | 'type' | 'choices' | 'read_only'>;

/** Names that other systems use for a field. A map, because a field can be named `constructor`. */
const SYNONYMS: ReadonlyMap<string, readonly string[]> = new Map([
  ['account_id', ['id']],
  ['parent_account_id', ['parentid']],
  ['name', ['accountname']],
]);

/** The readable type of a field that the server accepts without a declaration. */
export const UNDECLARED = 'any: not declared';

const BUILT_IN: readonly KnownAttribute[] = BUILT_IN_ATTRIBUTES.map(({ readOnly, ...attribute }) => ({
  ...attribute,
  read_only: readOnly,
}));

const READ_ONLY = ['created_at', 'updated_at', 'revision'];

/** The fields that a name in a file can stand for. */
export class KnownFields {
  readonly #byName = new Map<string, KnownField>();
  readonly #bySpelling: ReadonlyMap<string, string | undefined>;

  /** Without a schema, only the built-in fields are known. */
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
      [name.replace(/^custom_/, ''), ...(SYNONYMS.get(name) ?? [])].map(
        (variant) => [variant, name] as const,
      ),
    );
    // A match of the whole name wins over a match of a part or a synonym.
    this.#bySpelling = new Map([...spellings(looser), ...spellings(names.map((name) => [name, name]))]);
  }

  /** The names of the fields that can be sent. */
  get writable(): string[] {
    return [...this.#byName.keys()].filter((name) => !this.isReadOnly(name));
  }

  find(name: string): KnownField | undefined {
    return this.#byName.get(name);
  }

  /** The field that this name is another spelling of. */
  guess(name: string): KnownField | undefined {
    const known = this.#bySpelling.get(spelling(name));
    return known === undefined ? undefined : this.find(known);
  }

  isReadOnly(name: string): boolean {
    return READ_ONLY.includes(name) || this.find(name)?.attribute?.read_only === true;
  }
}

/** A spelling that two fields share matches neither, so that the user has to choose. */
function spellings(
  variants: readonly (readonly [variant: string, field: string])[],
): Map<string, string | undefined> {
  const found = new Map<string, string | undefined>();
  for (const [variant, field] of variants) {
    const key = spelling(variant);
    // Names without letters and digits have no spelling: 🔥 must not match ❤.
    if (key === '') continue;
    found.set(key, found.has(key) && found.get(key) !== field ? undefined : field);
  }
  return found;
}

/** `Account ID`, `AccountId` and `account-id` have the same spelling. */
function spelling(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
}

function typeOf({ type, choices }: KnownAttribute): string {
  return type === 'choice' ? `choice: ${choices.join(', ')}` : type;
}
