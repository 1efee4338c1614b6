import { grouped } from '../../domain/text.js';
import type { Server } from '../client/connect.js';
import { CommandFailed } from '../terminal/command-line.js';
import type { StatusLine } from '../terminal/status-line.js';
import type { ImportOptions } from './import-options.js';
import type { ImportPlan } from './import-plan.js';
import { hashOf, ProgressFile } from './progress-file.js';
import type { ImportState, ResultTracker } from './result-tracker.js';

const SAVE_MS = 1_000;

/** Saves the progress of an import about once a second, so that `--resume` can continue an interrupted one. */
class ImportCheckpoint {
  #savedAt = 0;
  #hasFailed = false;
  /** The run to which the records of the import belong. */
  run: string | undefined;

  constructor(
    readonly earlier: ImportState | undefined,
    private readonly file: ProgressFile<ImportState> | undefined,
    private readonly statusLine: StatusLine,
  ) {
    this.run = earlier?.run;
  }

  async saveWhenDue(tracker: ResultTracker): Promise<void> {
    if (performance.now() - this.#savedAt >= SAVE_MS) await this.save(tracker);
  }

  /** Throws if the rejected rows cannot be written. A failure to save the progress is only reported once. */
  async save(tracker: ResultTracker): Promise<void> {
    tracker.flush();
    try {
      await this.file?.save({ ...tracker.state(), run: this.run });
    } catch (error) {
      if (!this.#hasFailed) {
        this.statusLine.log(
          `Cannot save the progress of the import: ${(error as Error).message}. The import continues, but cannot be resumed.`,
        );
      }
      this.#hasFailed = true;
    }
    this.#savedAt = performance.now();
  }

  /** Removes the file of a finished import. Returns whether another run can resume this one. */
  async end(isFinished: boolean): Promise<boolean> {
    if (isFinished) await this.file?.remove();
    return !isFinished && this.file !== undefined && !this.#hasFailed;
  }
}

interface Run {
  readonly plan: ImportPlan;
  readonly server: Server;
  readonly options: ImportOptions;
  readonly line: StatusLine;
}

export async function openCheckpoint(
  file: string,
  { plan, server, options, line }: Run,
): Promise<ImportCheckpoint> {
  const { isPipe } = plan.importFile;
  if (isPipe || options.dryRun) {
    if (!options.resume) return new ImportCheckpoint(undefined, undefined, line);
    const what = isPipe ? 'Input from a pipe' : 'A dry run';
    throw new CommandFailed(`${what} cannot be resumed. Run it from the beginning, without --resume.`);
  }
  const { format, encoding, empty, rejects, mode = 'upsert', missing = 'default' } = options;
  const progressFile = new ProgressFile<ImportState>(file, {
    file: plan.fingerprint,
    server: new URL(server.url).href,
    key: hashOf(server.key),
    options: hashOf(
      JSON.stringify([format, encoding, empty, rejects, mode, missing, plan.columnOptions], asEntries),
    ),
    types: hashOf(JSON.stringify(typesOf(plan))),
  });
  const earlier = options.resume ? await progressFile.load() : undefined;
  if (earlier !== undefined) {
    line.log(`Continuing after ${grouped(earlier.records)} records, at line ${grouped(earlier.line)}.\n`);
  } else if (options.resume) {
    line.log('No interrupted import of this file was found. Starting from the beginning.\n');
  }
  return new ImportCheckpoint(earlier, progressFile, line);
}

/** As they are when records are sent: those that `--declare` has declared, too. */
function typesOf({ rows, known, conversions }: ImportPlan): (readonly [string, string | undefined])[] {
  return rows.columns.flatMap(({ field }) => {
    if (field === undefined) return [];
    const attribute = conversions.get(field)?.proposal ?? known.find(field)?.attribute;
    return [[field, attribute?.type] as const];
  });
}

/** For maps and sets, which JSON has not. */
function asEntries(_name: string, value: unknown): unknown {
  return value instanceof Map || value instanceof Set ? [...value] : value;
}
