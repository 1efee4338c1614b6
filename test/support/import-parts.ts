import type { Attribute, Json } from '@account-sync/client';
import type { Column } from '../../src/cli/import/column-plan.js';
import type { ColumnOptions } from '../../src/cli/import/import-options.js';
import type { ChosenConversion } from '../../src/cli/import/mapping.js';
import type { Collector } from '../../src/cli/import/value-collectors.js';
import type { AttributeType } from '../../src/domain/attribute-types.js';
import { NO_PRESENTATION } from './no-presentation.js';

/** An attribute as the server lists it. */
export function attribute(name: string, type: Attribute['type'], other: Partial<Attribute> = {}): Attribute {
  return {
    name,
    type,
    choices: [],
    read_only: false,
    built_in: false,
    owner: null,
    ...NO_PRESENTATION,
    index: 'none',
    index_progress: null,
    accounts: 0,
    ...other,
  };
}

interface Given extends Partial<Omit<ColumnOptions, 'map' | 'ignore' | 'conversions' | 'types'>> {
  readonly map?: Readonly<Record<string, string>>;
  readonly ignore?: readonly string[];
  readonly conversions?: Readonly<Record<string, ChosenConversion>>;
  readonly types?: Readonly<Record<string, Attribute['type']>>;
}

/** The options about columns, none of them given but these. */
export function columnOptions(given: Given = {}): ColumnOptions {
  const { map = {}, ignore = [], conversions = {}, types = {}, isDeclaring = false, ...others } = given;
  return {
    ...others,
    map: new Map(Object.entries(map)),
    ignore: new Set(ignore),
    conversions: new Map(Object.entries(conversions)),
    types: new Map(Object.entries(types)),
    isDeclaring,
  };
}

/** A column that is sent as this field. */
export function columnOf(name: string, field: string | undefined, other: Partial<Column> = {}): Column {
  return { name, field, type: 'any: not declared', reason: '', isJson: false, ...other };
}

/** How `--convert` says that the values of a field are written. */
export function chosen(
  readings: readonly string[],
  values: Readonly<Record<string, string | null>> = {},
): ChosenConversion {
  return { readings, values: new Map(Object.entries(values)) };
}

interface Collection {
  readonly problems: readonly string[];
  readonly sent?: readonly Json[];
  readonly uses?: readonly unknown[];
  readonly proposal?: AttributeType;
}

/** What a collector says after these values; `sent` are the values as they will be sent. */
export function collect(collector: Collector, values: readonly Json[]): Collection {
  for (const [at, value] of values.entries()) collector.add(value, at + 2);
  const { result, problems } = collector.collected();
  if (result === undefined) return { problems };
  const { conversion, uses, proposal } = result;
  return {
    problems,
    sent: values.map((value) => (typeof value === 'string' ? conversion.apply(value) : value)),
    uses: uses.map(({ reading, count, samples }) => [reading.name, count, samples.map(({ from }) => from)]),
    ...(proposal !== undefined && { proposal }),
  };
}
