import { readFile, writeFile } from 'node:fs/promises';
import { CommandFailed } from '../terminal/command-line.js';
import { isObject, type Json, parseJson } from './json.js';

/** How `--convert` says that the values of a field are written. */
export interface ChosenConversion {
  /** Names of readings, in order. */
  readonly readings: readonly string[];
  /** Values to replace; null clears the field. */
  readonly values: ReadonlyMap<string, string | null>;
}

/** What a mapping file says of a column: the field that it is sent as, and how its values are written. */
export interface ColumnMapping {
  /** `null`: the column is not sent. */
  readonly field: string | null;
  readonly conversion?: ChosenConversion;
}

const EXAMPLE =
  '{"Seats": "licenses", "Renewal": {"field": "custom_Renewal", "convert": "mdy"}, "Notes": null}';

/** Reads `--mapping`. */
export async function readMapping(path: string): Promise<ReadonlyMap<string, ColumnMapping>> {
  const text = await readFile(path, 'utf8').catch(({ message }: Error) => {
    throw new CommandFailed(`Cannot read the mapping file: ${message}.`);
  });
  const json = parseJson(text.replace(/^\ufeff/, ''));
  const mapping = new Map<string, ColumnMapping>();
  for (const [column, entry] of isObject(json) ? Object.entries(json) : []) {
    const read = readEntry(entry);
    // All other columns are left out, or sent under their own names.
    const isOneField = column.trim() === '*' && ![null, '*'].includes(read?.field ?? null);
    if (read === undefined || isOneField) throw invalid(path);
    mapping.set(column.trim(), read);
  }
  if (isObject(json)) return mapping;
  throw invalid(path);
}

/** Writes `--save-mapping`, one column a line. */
export async function saveMapping(path: string, mapping: ReadonlyMap<string, ColumnMapping>): Promise<void> {
  const lines = [...mapping].map(
    ([column, entry]) => `  ${JSON.stringify(column)}: ${JSON.stringify(writeEntry(entry))}`,
  );
  await writeFile(path, `{\n${lines.join(',\n')}\n}\n`).catch(({ message }: Error) => {
    throw new CommandFailed(`Cannot save the mapping: ${message}.`);
  });
}

function readEntry(entry: Json): ColumnMapping | undefined {
  if (entry === null) return { field: null };
  if (typeof entry === 'string') return entry.trim() === '' ? undefined : { field: entry.trim() };
  if (!isObject(entry)) return undefined;
  const { field, convert = [], values = {}, ...others } = entry;
  const readings = typeof convert === 'string' ? [convert] : convert;
  if (typeof field !== 'string' || field.trim() === '' || Object.keys(others).length > 0) return undefined;
  if (!Array.isArray(readings) || !readings.every((reading) => typeof reading === 'string')) return undefined;
  if (
    !isObject(values) ||
    !Object.values(values).every((value) => value === null || typeof value === 'string')
  )
    return undefined;
  const replaced = Object.entries(values as Record<string, string | null>);
  return {
    field: field.trim(),
    conversion: { readings, values: new Map(replaced.map(([from, to]) => [from.trim(), to])) },
  };
}

function writeEntry({ field, conversion }: ColumnMapping): Json {
  const { readings = [], values = new Map() } = conversion ?? {};
  if (field === null || (readings.length === 0 && values.size === 0)) return field;
  return {
    field,
    ...(readings.length > 0 && { convert: readings.length === 1 ? (readings[0] as string) : [...readings] }),
    ...(values.size > 0 && { values: Object.fromEntries(values) as Json }),
  } as Json;
}

function invalid(path: string): CommandFailed {
  return new CommandFailed(
    `${path} must contain a JSON object that maps each column to a field, or to null if it is not sent: ${EXAMPLE}`,
  );
}
