import { grouped } from '../../domain/text.js';
import type { Server } from '../client/connect.js';
import { CommandFailed } from '../terminal/command-line.js';
import type { StatusLine } from '../terminal/status-line.js';
import type { ColumnOptions } from './column-plan.js';
import type { ImportOptions } from './import-options.js';
import type { Source } from './open-import-file.js';
import { fingerprint, hashOf, ProgressFile } from './progress-file.js';
import type { ImportState, ResultTracker } from './result-tracker.js';

const SAVE_MS = 1_000;

/** Notes how far an import is, so that another can go on there. */
export class Resumption {
  #savedAt = 0;
  #isTold = false;

  constructor(
    readonly earlier: ImportState | undefined,
    private readonly file: ProgressFile<ImportState> | undefined,
    private readonly line: StatusLine,
  ) {}

  async saveWhenDue(tracker: ResultTracker): Promise<void> {
    if (performance.now() - this.#savedAt >= SAVE_MS) await this.save(tracker);
  }

  /** An import that cannot be resumed is still worth its while; one whose refused rows are lost is not. */
  async save(tracker: ResultTracker): Promise<void> {
    tracker.flush();
    try {
      await this.file?.save(tracker.state());
    } catch (error) {
      if (!this.#isTold) {
        this.line.say(`It cannot be noted how far the import is: ${(error as Error).message}. It goes on.`);
      }
      this.#isTold = true;
    }
    this.#savedAt = performance.now();
  }

  /** Gives whether another run can go on from what was noted last; not where there is nothing left to do, or to skip. */
  async end(isOver: boolean): Promise<boolean> {
    if (isOver) await this.file?.remove();
    return !isOver && this.file !== undefined && !this.#isTold;
  }
}

interface Run {
  readonly source: Source;
  readonly server: Server;
  readonly columnOptions: ColumnOptions;
  readonly options: ImportOptions;
  readonly line: StatusLine;
}

export async function openResumption(
  file: string,
  { source, server, columnOptions, options, line }: Run,
): Promise<Resumption> {
  const isPipe = source.size === undefined || file === '-';
  if (isPipe || options.dryRun) {
    if (!options.resume) return new Resumption(undefined, undefined, line);
    const what = isPipe ? 'What comes from a pipe' : 'A dry run';
    throw new CommandFailed(`${what} cannot be resumed. Run it from its beginning, without --resume.`);
  }
  const { format, encoding, empty, rejects } = options;
  const { map, ignore } = columnOptions;
  const progressFile = new ProgressFile<ImportState>(file, {
    file: await fingerprint(file),
    server: new URL(server.url).href,
    key: hashOf(server.key),
    options: hashOf(JSON.stringify([format, encoding, empty, rejects, [...map], [...ignore]])),
  });
  const earlier = options.resume ? await progressFile.load() : undefined;
  if (earlier !== undefined) {
    line.say(`Going on behind ${grouped(earlier.records)} records, at line ${grouped(earlier.line)}.\n`);
  } else if (options.resume) {
    line.say('No earlier import of this file was broken off: it begins at the beginning.\n');
  }
  return new Resumption(earlier, progressFile, line);
}
