import { readFile } from 'node:fs/promises';
import type { WriteMode } from '@account-sync/client';
import type { ServerOptions } from '../client/connect.js';
import { CommandFailed } from '../terminal/command-line.js';
import type { ColumnOptions } from './column-plan.js';
import type { EmptyCells } from './items.js';
import { isObject, parseJson } from './json.js';
import type { Format } from './recognise.js';

export interface ImportOptions extends ServerOptions {
  readonly format?: Format;
  readonly encoding?: string;
  readonly map?: readonly string[];
  readonly mapping?: string;
  readonly ignore?: readonly string[];
  readonly empty: EmptyCells;
  readonly dryRun?: boolean;
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

/** Combines `--mapping`, `--map` and `--ignore`; the command line overrides the file. */
export async function readColumnOptions(
  options: Pick<ImportOptions, 'map' | 'mapping' | 'ignore'>,
): Promise<ColumnOptions> {
  const map = new Map<string, string>();
  const ignore = new Set<string>();
  for (const [column, field] of await readMapping(options.mapping)) {
    if (field === null) ignore.add(column);
    else map.set(column, field);
  }
  for (const pair of options.map ?? []) {
    const [column, field] = readPair(pair);
    ignore.delete(column);
    map.set(column, field);
  }
  for (const name of options.ignore ?? []) {
    map.delete(name.trim());
    ignore.add(name.trim());
  }
  return { map, ignore };
}

/** Splits at the last equals sign, because a column name can contain one and a field name does not. */
function readPair(pair: string): [column: string, field: string] {
  if (pair.trim() === '*') return ['*', '*'];
  const at = pair.lastIndexOf('=');
  const [column, field] = [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
  if (at > 0 && column !== '' && field !== '') return [column, field];
  throw new CommandFailed(`--map needs "column=field", for example --map "Seats=licenses"; it is "${pair}".`);
}

async function readMapping(path: string | undefined): Promise<[column: string, field: string | null][]> {
  if (path === undefined) return [];
  const text = await readFile(path, 'utf8').catch(({ message }: Error) => {
    throw new CommandFailed(`Cannot read the mapping file: ${message}.`);
  });
  const mapping = parseJson(text.replace(/^\ufeff/, ''));
  const isField = (field: unknown) => field === null || (typeof field === 'string' && field.trim() !== '');
  if (isObject(mapping) && Object.values(mapping).every(isField)) {
    return Object.entries(mapping).map(([column, field]) => [column.trim(), field as string | null]);
  }
  throw new CommandFailed(
    `${path} must contain a JSON object that maps each column to a field, or to null if it is not sent: {"Seats": "licenses", "Notes": null}`,
  );
}
