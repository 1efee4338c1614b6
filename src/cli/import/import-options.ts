import type { WriteMode } from '@account-sync/client';
import { TYPE_NAMES, type TypeName } from '../../domain/attribute-types.js';
import type { ServerOptions } from '../client/connect.js';
import { CommandFailed } from '../terminal/command-line.js';
import type { DateOrder } from './conversion/select-readings.js';
import { type ChosenConversion, readMapping } from './mapping.js';
import type { PresetName } from './presets/preset.js';
import type { Format } from './recognise.js';

/** What an empty cell does to the stored value. */
export type EmptyCells = 'clear' | 'keep';

export interface ImportOptions extends ServerOptions {
  readonly format?: Format;
  readonly encoding?: string;
  readonly from?: PresetName | 'none';
  readonly map?: readonly string[];
  readonly mapping?: string;
  readonly saveMapping?: string;
  readonly ignore?: readonly string[];
  readonly convert?: readonly string[];
  readonly dates?: DateOrder;
  readonly declare?: boolean;
  readonly type?: readonly string[];
  readonly empty: EmptyCells;
  readonly dryRun?: boolean;
  readonly maxRejected: number;
  readonly rejects?: string;
  readonly mode?: WriteMode;
  readonly missing?: 'archive' | 'report' | 'ignore';
  readonly maxMissing?: number;
  readonly resume?: boolean;
  readonly concurrency: number;
  readonly limit?: number;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** The options about columns. The column `*` stands for all other unknown columns. */
export interface ColumnOptions {
  readonly from?: PresetName | 'none' | undefined;
  /** The field of a column. */
  readonly map: ReadonlyMap<string, string>;
  readonly ignore: ReadonlySet<string>;
  /** By field. */
  readonly conversions: ReadonlyMap<string, ChosenConversion>;
  readonly dates?: DateOrder | undefined;
  /** Whether new columns become attributes. */
  readonly isDeclaring: boolean;
  /** The types of new attributes, by field. */
  readonly types: ReadonlyMap<string, TypeName>;
}

/** Combines the mapping file and the command line, which overrides the file. */
export async function readColumnOptions(
  options: Pick<
    ImportOptions,
    'from' | 'map' | 'mapping' | 'ignore' | 'convert' | 'dates' | 'declare' | 'type'
  >,
): Promise<ColumnOptions> {
  const columns = new Map(options.mapping === undefined ? [] : await readMapping(options.mapping));
  for (const pair of options.map ?? []) {
    const [column, field] = readPair(pair);
    const inFile = columns.get(column);
    columns.set(column, inFile?.field === field ? inFile : { field });
  }
  for (const name of options.ignore ?? []) columns.set(name.trim(), { field: null });
  const map = new Map<string, string>();
  const ignore = new Set<string>();
  const conversions = new Map<string, ChosenConversion>();
  for (const [column, { field, conversion }] of columns) {
    if (field === null) ignore.add(column);
    else map.set(column, field);
    if (field !== null && conversion !== undefined) conversions.set(field, conversion);
  }
  for (const [field, conversion] of readConversions(options.convert ?? []))
    conversions.set(field, conversion);
  const { from, dates, declare = false, type = [] } = options;
  if (type.length > 0 && !declare) {
    throw new CommandFailed(
      '--type has no effect without --declare. Add --declare to declare new attributes, or leave out --type.',
    );
  }
  return { from, map, ignore, conversions, dates, isDeclaring: declare, types: new Map(type.map(readType)) };
}

/** Splits at the last equals sign, because a column name can contain one and a field name does not. */
function readPair(pair: string): [column: string, field: string] {
  if (pair.trim() === '*') return ['*', '*'];
  const at = pair.lastIndexOf('=');
  const [column, field] = [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
  if (column === '*' && field !== '*') {
    throw new CommandFailed(`--map '*' sends all other columns under their own names; it is "${pair}".`);
  }
  if (at > 0 && column !== '' && field !== '') return [column, field];
  throw new CommandFailed(`--map needs "column=field", for example --map "Seats=licenses"; it is "${pair}".`);
}

/** Reads `field=reading` and `field=from:to`, each of which can occur several times for a field. */
function readConversions(pairs: readonly string[]): ReadonlyMap<string, ChosenConversion> {
  const chosen = new Map<string, { readings: string[]; values: Map<string, string | null> }>();
  for (const pair of pairs) {
    const [field, how] = split(pair);
    if (field === '' || how === '') {
      throw new CommandFailed(
        `--convert needs "field=form" or "field=from:to", for example --convert custom_Renewal=mdy or --convert "custom_Tier=Premium:gold"; it is "${pair}".`,
      );
    }
    const { readings, values } = chosen.get(field) ?? { readings: [] as string[], values: new Map() };
    const colon = lastColon(how);
    if (colon === -1) readings.push(how);
    else values.set(how.slice(0, colon).trim(), how.slice(colon + 1).trim() || null);
    chosen.set(field, { readings, values });
  }
  return chosen;
}

/** The last colon, or the one before a time, which has colons itself. */
function lastColon(text: string): number {
  const time = /:\s*\d{4}-\d\d-\d\d[ T]\d\d:\d\d[\d:.+Z-]*(?<!:)$/i.exec(text);
  return time?.index ?? text.lastIndexOf(':');
}

function readType(pair: string): [field: string, type: TypeName] {
  const [field, name] = split(pair);
  const type = TYPE_NAMES.find((each) => each === name);
  if (field !== '' && type !== undefined) return [field, type];
  throw new CommandFailed(
    `--type needs "field=type" with one of the types ${TYPE_NAMES.join(', ')}; it is "${pair}".`,
  );
}

/** Splits at the first equals sign, because a field name contains none. */
function split(pair: string): [before: string, after: string] {
  const at = pair.indexOf('=');
  return at === -1 ? ['', ''] : [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
}
