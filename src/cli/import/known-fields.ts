import type { Attribute, Attributes } from '@account-sync/client';
import { BUILT_IN_ATTRIBUTES } from '../../domain/tenant.js';

/** A field that the server knows. */
interface KnownField {
  readonly name: string;
  /** The readable type of its values. */
  readonly type: string;
  readonly attribute?: KnownAttribute;
}

type KnownAttribute = Pick<Attribute, 'name' | 'type' | 'choices' | 'read_only'>;

/** What other systems call an account. */
const ACCOUNTS = ['account', 'company', 'customer', 'organization', 'client', 'business'];

/** Names that other systems use for a field. A map, because a field can be named `constructor`. */
const SYNONYMS: ReadonlyMap<string, readonly string[]> = new Map([
  ['account_id', ['id', 'recordid', 'externalid', ...ACCOUNTS.map((what) => `${what}id`)]],
  ['parent_account_id', ['parentid', 'parentrecordid', ...ACCOUNTS.map((what) => `parent${what}id`)]],
  ['name', ACCOUNTS.map((what) => `${what}name`)],
  ['licenses', ['licensecount', 'numberoflicenses']],
]);

/** Words whose British spelling differs from the American one. */
const SPELLINGS: readonly (readonly [british: RegExp, american: string])[] = [
  [/licence/g, 'license'],
  [/colour/g, 'color'],
  [/centre/g, 'center'],
  [/programme/g, 'program'],
  [/(?<=[a-z]{3})is(?=ed|ation)/g, 'iz'],
];

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
    const synonyms = [...SYNONYMS].flatMap(([name, variants]) =>
      variants.map((variant) => [variant, name] as const),
    );
    // The whole name wins over a part of it, and that over a synonym.
    this.#bySpelling = new Map([
      ...spellings(synonyms),
      ...spellings(names.map((name) => [name.replace(/^custom_/, ''), name])),
      ...spellings(names.map((name) => [name, name])),
    ]);
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

/** `Account ID`, `AccountId` and `account-ids` have the same spelling, and `Licences` that of `license`. */
function spelling(name: string): string {
  const words = name
    .normalize('NFKC')
    // A suffix that Salesforce gives to custom fields.
    .replace(/__c$/i, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu);
  const letters = (words ?? []).map(singular).join('');
  return SPELLINGS.reduce((text, [british, american]) => text.replace(british, american), letters);
}

function singular(word: string): string {
  return word.length > 2 ? word.replace(/(?<![su])s$/, '') : word;
}

function typeOf({ type, choices }: KnownAttribute): string {
  return type === 'choice' ? `choice: ${choices.join(', ')}` : type;
}
