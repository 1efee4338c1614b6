import type { AccountSync, Attributes } from '@account-sync/client';
import { CommandFailed } from '../terminal/command-line.js';
import type { StatusLine } from '../terminal/status-line.js';
import { ColumnPlan } from './column-plan.js';
import { declareAttributes, requireSchema } from './declare-attributes.js';
import { type Conversions, FileScan } from './file-scan.js';
import { type ColumnOptions, type ImportOptions, readColumnOptions } from './import-options.js';
import { type ImportRows, openRows, REASON_COLUMNS } from './import-rows.js';
import { KnownFields } from './known-fields.js';
import { type ColumnMapping, saveMapping } from './mapping.js';
import type { ImportFile } from './open-import-file.js';
import { columnsText, valuesText } from './plan-report.js';
import { fingerprint } from './progress-file.js';
import type { RepeatedIds } from './repeated-ids.js';

/** Everything that is decided before the first record is sent. */
export interface ImportPlan {
  readonly importFile: ImportFile;
  readonly known: KnownFields;
  readonly columnOptions: ColumnOptions;
  readonly rows: ImportRows;
  readonly conversions: Conversions;
  readonly ids: RepeatedIds;
  /** Of the file that was read; empty for a pipe. */
  readonly fingerprint: string;
}

interface Parts {
  readonly importFile: ImportFile;
  readonly schema: Attributes | undefined;
  readonly client: AccountSync;
  readonly options: ImportOptions;
  readonly line: StatusLine;
}

/**
 * Reads the columns and all values of the file, shows how they will be sent, and declares new attributes. Throws if
 * something is unclear, before anything is stored.
 */
export async function planImport({ importFile, schema, client, options, line }: Parts): Promise<ImportPlan> {
  requireSchema(schema, options);
  const before = await fingerprintOf(importFile);
  const columnOptions = await readColumnOptions(options);
  const known = new KnownFields(schema);
  const plan = new ColumnPlan(known, columnOptions, importFile.format === 'csv');
  const rows = await openRows(importFile, plan, options.empty);
  line.log(columnsText(importFile, rows.columns, { emptyCells: options.empty, preset: plan.preset }));
  const problems = plan.problems();
  if (problems.length > 0) throw new CommandFailed([...problems, ...plan.hints()].join('\n'));
  const scan = new FileScan(known, columnOptions, plan.preset, rows.isOfRejectedRows);
  await readAll(importFile, rows.scan(scan), line);
  if (scan.records === 0) throw noRecords(importFile);
  if (before !== (await fingerprintOf(importFile))) throw hasChanged(importFile);
  const { conversions, problems: unclear } = scan.result();
  const values = valuesText(conversions, scan.ids);
  if (values !== '') line.log(`${values}\n`);
  if (unclear.length > 0) throw new CommandFailed(unclear.join('\n'));
  if (options.saveMapping !== undefined) {
    await saveMapping(options.saveMapping, mappingOf(rows, conversions, columnOptions));
  }
  const existing = schema?.data.filter((attribute) => !attribute.built_in).length ?? 0;
  const { dryRun } = options;
  return {
    importFile,
    known,
    columnOptions,
    rows,
    conversions: await declareAttributes(client, conversions, { dryRun, existing }, line),
    ids: scan.ids,
    fingerprint: before,
  };
}

async function readAll(
  importFile: ImportFile,
  pieces: AsyncGenerator<void, void>,
  line: StatusLine,
): Promise<void> {
  for await (const _piece of pieces) {
    line.show(() => `Reading ${importFile.name}: ${percent(importFile)} %`);
  }
  line.clear();
}

async function fingerprintOf({ name, isPipe }: ImportFile): Promise<string> {
  // A file that is gone is another one, too.
  return isPipe ? '' : fingerprint(name).catch(() => '');
}

function percent({ bytesRead, size }: ImportFile): number {
  return size === 0 ? 100 : Math.floor((100 * bytesRead) / size);
}

function noRecords({ name, format }: ImportFile): CommandFailed {
  const what = format === 'csv' ? 'has a header, but no rows' : 'contains no records';
  return new CommandFailed(`${name} ${what}, so nothing was sent. Check that the export was complete.`);
}

/** The records that are sent would not be those that were read, and `--resume` would skip records of another file. */
function hasChanged({ name }: ImportFile): CommandFailed {
  return new CommandFailed(
    `${name} has changed while it was read, so nothing was sent. Import it again when its export is complete.`,
  );
}

/** The mapping that gives the same plan again, whatever the next file contains. */
function mappingOf(
  { columns }: ImportRows,
  conversions: Conversions,
  options: ColumnOptions,
): ReadonlyMap<string, ColumnMapping> {
  const named = columns.filter((column) => column.name.trim() !== '' && !REASON_COLUMNS.includes(column));
  return new Map(
    named.map(({ name, field = null }): [string, ColumnMapping] => {
      const chosen = options.conversions.get(field ?? '');
      const { uses = [], isUnsent } = conversions.get(field ?? '') ?? {};
      if (isUnsent) return [name.trim(), { field: null }];
      const used = uses.map(({ reading }) => reading.name);
      // With those that a chosen group of readings has turned out to be.
      const readings = chosen?.readings.length ? [...chosen.readings, ...used] : used;
      const values = chosen?.values ?? new Map();
      return [name.trim(), { field, conversion: { readings: [...new Set(readings)], values } }];
    }),
  );
}
