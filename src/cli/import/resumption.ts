import { CommandFailed } from '../command-line.js';
import { readKey } from '../connect.js';
import type { ImportOptions } from '../import.js';
import { grouped, type StatusLine } from '../status-line.js';
import type { Ledger, Standing } from './ledger.js';
import { fingerprint, hashOf, ProgressFile } from './progress-file.js';

const SAVE_MS = 1_000;

/** Notes how far an import is, so that another can go on there. */
export class Resumption {
  #savedAt = 0;
  #isTold = false;

  constructor(
    readonly earlier: Standing | undefined,
    private readonly file: ProgressFile<Standing> | undefined,
    private readonly line: StatusLine,
  ) {}

  async saveWhenDue(ledger: Ledger): Promise<void> {
    if (performance.now() - this.#savedAt >= SAVE_MS) await this.save(ledger);
  }

  /** An import that cannot be resumed is still worth its while. */
  async save(ledger: Ledger): Promise<void> {
    const standing = ledger.standing();
    try {
      await this.file?.save(standing);
    } catch (error) {
      if (!this.#isTold) {
        this.line.say(`It cannot be noted how far the import is: ${(error as Error).message}. It goes on.`);
      }
      this.#isTold = true;
    }
    this.#savedAt = performance.now();
  }

  /** Gives whether another run can go on from here. */
  async end(ledger: Ledger, isComplete: boolean): Promise<boolean> {
    if (!isComplete) await this.save(ledger);
    else await this.file?.remove();
    return !isComplete && this.file !== undefined && !this.#isTold;
  }
}

export async function openResumption(
  file: string,
  options: ImportOptions,
  line: StatusLine,
): Promise<Resumption> {
  if (file === '-' || options.dryRun) {
    if (!options.resume) return new Resumption(undefined, undefined, line);
    const what = file === '-' ? 'What comes from a pipe' : 'A dry run';
    throw new CommandFailed(`${what} cannot be resumed. Run it from its beginning, without --resume.`);
  }
  const { url = '', format, encoding, map, mapping, ignore, empty, rejects } = options;
  const progressFile = new ProgressFile<Standing>(file, {
    file: await fingerprint(file),
    server: new URL(url).href,
    key: hashOf(await readKey(options.keyFile)),
    options: hashOf(JSON.stringify({ format, encoding, map, mapping, ignore, empty, rejects })),
  });
  const earlier = options.resume ? await progressFile.load() : undefined;
  if (earlier !== undefined) {
    line.say(`Going on behind ${grouped(earlier.records)} records, at line ${grouped(earlier.line)}.\n`);
  } else if (options.resume) {
    line.say('No earlier import of this file was broken off: it begins at the beginning.\n');
  }
  return new Resumption(earlier, progressFile, line);
}
