import type { AccountRecord } from '@account-sync/client';
import type { ImportItem } from '../import/items.js';
import { type Json, type JsonObject, serialisationFault } from '../import/json.js';
import { type KnownFields, UNDECLARED } from '../import/known-fields.js';
import { printable } from '../terminal/printable.js';
import { adaptValue } from './adapt-value.js';
import type { SchemaMessage } from './messages.js';
import type { StreamMapping } from './stream-mappings.js';

/** A record as it is sent, or why it cannot be sent. */
export interface SingerItem extends ImportItem {
  /** The length of its message. */
  readonly characters: number;
}

export interface Property {
  readonly name: string;
  /** `undefined` if the property is not sent. */
  readonly field: string | undefined;
  readonly type: string;
  /** Why the property has this field, for the report. */
  readonly reason: string;
  /** Why the property cannot be sent, and what to do about it. */
  readonly problem?: string;
  /** Whether it only needs a line in the mapping. */
  readonly isUnknown?: boolean;
}

/** Names of properties that targets and taps add to the data of the source. */
const METADATA = /^_sdc_/;

/**
 * Maps the properties of a stream to fields. The first match wins: the mapping, the exact name of a field, another
 * spelling of it, `*` in the mapping. What remains is a problem that the user solves before anything of the stream is
 * sent. The account id is never found by its spelling: another property of that name often refers to something else.
 */
export class StreamPlan {
  readonly properties: readonly Property[];
  readonly #byName: ReadonlyMap<string, Property>;
  readonly #propertyOfField = new Map<string, string>();
  readonly #idProperty: string | undefined;

  constructor(
    readonly schema: SchemaMessage,
    private readonly mapping: StreamMapping,
    private readonly known: KnownFields,
  ) {
    const { properties: names } = schema;
    this.#idProperty = this.#findIdProperty();
    // Exact names first, so that another spelling does not get their field.
    const isExact = (name: string) => mapping.has(name) || known.find(name) !== undefined;
    const ordered = new Set([...names.filter(isExact), ...names]);
    const resolved = new Map([...ordered].map((name) => [name, this.#resolve(name)]));
    this.properties = names.map((name) => resolved.get(name) as Property);
    this.#byName = resolved;
  }

  /** Everything that prevents the stream from being sent. */
  problems(): string[] {
    const { stream } = this.schema;
    const problems = this.properties.flatMap(({ problem = [], isUnknown }) => (isUnknown ? [] : problem));
    const unknown = this.properties.filter(({ isUnknown }) => isUnknown);
    if (unknown.length > 0) problems.push(adviceFor(unknown));
    return [...problems, ...this.#missingProperties(), ...this.#idProblems()].map(
      (problem) => `Stream ${printable(stream)}: ${problem}`,
    );
  }

  /** The record with its fields. A property that the SCHEMA lacks can still be mapped; if not, it rejects the record. */
  itemOf(record: JsonObject, line: number, text: string): SingerItem {
    const fields: Record<string, Json> = {};
    const unknown: [string, Json][] = [];
    let problem: string | undefined;
    let repeated: string | undefined;
    for (const [name, value] of Object.entries(record)) {
      const property = this.#byName.get(name) ?? this.#resolve(name);
      problem ??= property.problem;
      const { field } = property;
      if (property.problem !== undefined) unknown.push([name, value]);
      else if (field !== undefined) {
        if (Object.hasOwn(fields, field)) repeated = `contains ${field} under two names.`;
        fields[field] = adaptValue(value, property.type);
      }
    }
    const fault = repeated ?? serialisationFault(problem === undefined ? fields : record);
    const characters = text.length;
    if (fault === undefined && problem === undefined) {
      return {
        line,
        record: fields as unknown as AccountRecord,
        characters,
        // Needed only if the record is rejected.
        get original() {
          return JSON.stringify(fields);
        },
      };
    }
    const original =
      fault === undefined ? JSON.stringify({ ...fields, ...Object.fromEntries(unknown) }) : text;
    const reason = fault === undefined ? (problem as string) : `The record ${fault}`;
    return { line, record: undefined, problem: reason, original, characters };
  }

  /** The id of the account that a record names. */
  accountIdOf(record: JsonObject): string {
    const id = this.#idProperty === undefined ? undefined : record[this.#idProperty];
    return String(id ?? '');
  }

  /** Whether the mapping names a field for this property. */
  sends(property: string): boolean {
    return typeof this.mapping.get(property) === 'string';
  }

  #findIdProperty(): string | undefined {
    const { mapping } = this;
    const { properties, keyProperties } = this.schema;
    const mapped = [...mapping].find(([, field]) => field === 'account_id');
    if (mapped !== undefined) return mapped[0];
    if (properties.includes('account_id') && !mapping.has('account_id')) return 'account_id';
    const [key, ...others] = keyProperties;
    const isUsable = key !== undefined && others.length === 0 && !mapping.has(key) && !METADATA.test(key);
    return isUsable ? key : undefined;
  }

  #resolve(name: string): Property {
    const [field, reason] = this.#fieldOf(name);
    const unsent = { name, field: undefined, type: '', reason };
    if (field === null) return unsent;
    if (field === undefined) {
      const problem = `The property ${quoted(name)} is unknown. Add it to the mapping of the stream, with a field or null.`;
      return { ...unsent, problem, isUnknown: true };
    }
    const fail = (problem: string) => ({ ...unsent, problem: `${problem} Map ${quoted(name)} to null.` });
    // Assigning __proto__ to an object sets its prototype, so the values would be lost silently.
    if (field === '__proto__') return fail('No field can be named __proto__.');
    if (this.known.isReadOnly(field)) return fail(`${field} is read-only.`);
    const other = this.#propertyOfField.get(field);
    if (other !== undefined && other !== name) {
      return fail(`${quoted(name)} maps to ${field}, as does ${quoted(other)}.`);
    }
    if (this.schema.properties.includes(name)) this.#propertyOfField.set(field, name);
    return { name, field, type: this.known.find(field)?.type ?? UNDECLARED, reason };
  }

  /** `null` if the property is not sent, `undefined` if that is not known. */
  #fieldOf(name: string): [field: string | null | undefined, reason: string] {
    const given = this.mapping.get(name);
    if (given !== undefined) return [given, 'mapping'];
    if (METADATA.test(name)) return [null, 'metadata'];
    if (name === this.#idProperty) return ['account_id', name === 'account_id' ? '' : 'the key'];
    if (this.known.find(name) !== undefined) return [name, ''];
    const guess = this.known.guess(name)?.name;
    if (guess !== undefined && guess !== 'account_id') return [guess, 'by its name'];
    const others = this.mapping.get('*');
    if (others === undefined) return [undefined, ''];
    return [others === null ? null : name, 'mapping'];
  }

  /** A mapped property that never comes is a wrong name, or the tap does not select it. */
  #missingProperties(): string[] {
    const { properties } = this.schema;
    if (properties.length === 0) return [];
    return [...this.mapping]
      .filter(([name, field]) => name !== '*' && field !== null && !properties.includes(name))
      .map(([name]) => `It has no property ${quoted(name)}. Check the name, and whether the tap selects it.`);
  }

  #idProblems(): string[] {
    const { properties, keyProperties } = this.schema;
    const id = this.#idProperty;
    if (id === undefined) {
      const key =
        keyProperties.length === 0 ? 'It has no key' : `Its key is ${keyProperties.map(quoted).join(', ')}`;
      return [`${key}, so it is not clear which property is the account id. Map one to "account_id".`];
    }
    if (this.mapping.has(id) || id === 'account_id') return [];
    return properties
      .filter(
        (name) => name !== id && !this.mapping.has(name) && this.known.guess(name)?.name === 'account_id',
      )
      .map(
        (name) =>
          `Both ${quoted(id)}, its key, and ${quoted(name)} may be the account id. Map one of them to "account_id".`,
      );
  }
}

function adviceFor(unknown: readonly Property[]): string {
  const lines = unknown.map(({ name }) => `  ${entryFor(name)}`);
  return `Some properties are unknown. Add them to its mapping, each with a field or with null, or leave out all others with "*": null:\n${lines.join(',\n')}`;
}

function entryFor(name: string): string {
  const field = /^custom_/.test(name) ? name : `custom_${name.match(/[\p{L}\p{N}]+/gu)?.join('_') ?? 'Name'}`;
  return `${quoted(name)}: ${quoted(field)}`;
}

/** As it is written in the mapping file. */
function quoted(name: string): string {
  return printable(JSON.stringify(name));
}
