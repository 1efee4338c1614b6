import { type AccountSync, type Attributes, ForbiddenError } from '@account-sync/client';
import { CommandFailed } from '../terminal/command-line.js';
import type { StatusLine } from '../terminal/status-line.js';
import { ColumnPlan } from './column-plan.js';
import { declareAttributes } from './declare-attributes.js';
import { type Conversions, FileScan } from './file-scan.js';
import { type ColumnOptions, type ImportOptions, readColumnOptions } from './import-options.js';
import { type ImportRows, openRows } from './import-rows.js';
import { KnownFields } from './known-fields.js';
import { type ColumnMapping, saveMapping } from './mapping.js';
import type { ImportFile } from './open-import-file.js';
import { columnsText, valuesText } from './plan-report.js';
import type { RepeatedIds } from './repeated-ids.js';

/** Everything that is decided before the first record is sent. */
export interface ImportPlan {
  readonly importFile: ImportFile;
  readonly known: KnownFields;
  readonly columnOptions: ColumnOptions;
  readonly rows: ImportRows;
  readonly conversions: Conversions;
  readonly ids: RepeatedIds;
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
  const columnOptions = await readColumnOptions(options);
  const known = new KnownFields(schema);
  const plan = new ColumnPlan(known, columnOptions, importFile.format === 'csv');
  const rows = await openRows(importFile, plan, options.empty);
  line.log(columnsText(importFile, rows.columns, { emptyCells: options.empty, preset: plan.preset }));
  const problems = plan.problems();
  if (problems.length > 0) throw new CommandFailed([...problems, ...plan.hints()].join('\n'));
  const scan = new FileScan(known, columnOptions, plan.preset);
  await readAll(importFile, rows.scan(scan), line);
  if (scan.records === 0) throw noRecords(importFile);
  const { conversions, problems: unclear } = scan.result();
  const values = valuesText(conversions, scan.ids);
  if (values !== '') line.log(`${values}\n`);
  if (unclear.length > 0) throw new CommandFailed(unclear.join('\n'));
  if (options.saveMapping !== undefined) {
    await saveMapping(options.saveMapping, mappingOf(rows, conversions, columnOptions));
  }
  await declareAttributes(client, conversions, options, line);
  return { importFile, known, columnOptions, rows, conversions, ids: scan.ids };
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

function percent({ bytesRead, size }: ImportFile): number {
  return size === 0 ? 100 : Math.floor((100 * bytesRead) / size);
}

function noRecords({ name, format }: ImportFile): CommandFailed {
  const what = format === 'csv' ? 'has a header, but no rows' : 'contains no records';
  return new CommandFailed(`${name} ${what}, so nothing was sent. Check that the export was complete.`);
}

/** The mapping that gives the same plan again, whatever the next file contains. */
function mappingOf(
  { columns }: ImportRows,
  conversions: Conversions,
  options: ColumnOptions,
): ReadonlyMap<string, ColumnMapping> {
  const named = columns.filter(({ name, reason }) => name.trim() !== '' && !reason.startsWith('from a file'));
  return new Map(
    named.map(({ name, field = null }): [string, ColumnMapping] => {
      const chosen = options.conversions.get(field ?? '');
      const { uses = [], isEmpty } = conversions.get(field ?? '') ?? {};
      if (isEmpty) return [name.trim(), { field: null }];
      const readings = chosen?.readings.length ? chosen.readings : uses.map(({ reading }) => reading.name);
      // Otherwise the next import would need --dates again.
      const orders = options.dates === undefined || !readings.includes('day') ? [] : [options.dates];
      const values = chosen?.values ?? new Map();
      return [
        name.trim(),
        { field, conversion: { readings: [...new Set([...readings, ...orders])], values } },
      ];
    }),
  );
}

/** `undefined` for a key without the scope `read`, which is enough to import. */
export async function readSchema(client: AccountSync, line: StatusLine): Promise<Attributes | undefined> {
  try {
    return await client.attributes();
  } catch (error) {
    if (!(error instanceof ForbiddenError)) throw error;
    line.log(
      'The key lacks the scope read, so only built-in fields are known. Name other fields with --map.',
    );
    return undefined;
  }
}
