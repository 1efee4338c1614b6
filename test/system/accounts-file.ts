import { readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ImportState } from '../../dist/cli/import/result-tracker.js';
import { freshDirectory, run, type Settings } from '../support/service.js';

const HEADER = 'account_id,name,licenses';

/** A CSV in a directory of its own. Of its rows, one in a hundred is refused, and one in a thousand not even sent. */
export class AccountsFile {
  private constructor(
    readonly path: string,
    readonly prefix: string,
    readonly rows: number,
  ) {}

  /** All ids begin with the prefix, so that several files can be told apart in one server. */
  static async create(prefix: string, rows: number): Promise<AccountsFile> {
    const file = new AccountsFile(join(await freshDirectory(), `${prefix}.csv`), prefix, rows);
    await writeFile(file.path, [HEADER, ...file.#rowsBehind(0), ''].join('\n'));
    return file;
  }

  get progressPath(): string {
    return `${this.path}.progress`;
  }

  get rejectsPath(): string {
    return this.path.replace(/csv$/, 'rejects.csv');
  }

  /** What an import of it says first, line by line. */
  get plan(): string[] {
    return [
      `${this.path}: CSV, parted by commas. An empty cell clears what is stored (--empty keep leaves it).`,
      '',
      'COLUMN      FIELD       TYPE',
      'account_id  account_id  id',
      'name        name        text',
      'licenses    licenses    integer',
      '',
    ];
  }

  /** How far an import of it is noted to be. */
  async standing(): Promise<ImportState> {
    return JSON.parse(await readFile(this.progressPath, 'utf8')).state;
  }

  async rejects(): Promise<string[]> {
    return (await readFile(this.rejectsPath, 'utf8')).split('\n');
  }

  /** What the file of refused rows holds, line by line, once so many rows are dealt with. */
  expectedRejects(rows = this.rows): string[] {
    const lines = Array.from({ length: rows }, (_, row) => this.#rejected(row)).flat();
    return [`rejected_line,rejected_id,rejected_because,${HEADER}`, ...lines, ''];
  }

  /** How many of the rows behind these are sent to a server. */
  sentBehind(rows: number): number {
    return this.#rowsBehind(rows).filter((text) => !text.endsWith(',extra')).length;
  }

  /** Its accounts that a server holds, as lines of NDJSON. */
  async exported(caller: Settings): Promise<string[]> {
    const args = ['export', '--format', 'ndjson', '--quiet', '--filter', `id_prefix=${this.prefix}-`];
    return (await run(args, caller)).stdout.split('\n');
  }

  /** What `exported` gives once so many rows are dealt with. */
  expectedExport(rows = this.rows): string[] {
    const accepted = Array.from({ length: rows }, (_, row) => row).filter((row) => !isRefused(row));
    const lines = accepted.map(
      (row) => `{"account_id":"${this.#id(row)}","name":"Account ${row}","licenses":${row}}`,
    );
    return [...lines, ''];
  }

  remove(): Promise<void> {
    return rm(dirname(this.path), { recursive: true, force: true });
  }

  #rowsBehind(first: number): string[] {
    return Array.from({ length: this.rows - first }, (_, at) => this.#row(first + at));
  }

  #row(row: number): string {
    if (isUnsent(row)) return `${this.#id(row)},Account ${row},${row},extra`;
    return `${this.#id(row)},Account ${row},${isRefused(row) ? 'many' : row}`;
  }

  #rejected(row: number): string[] {
    if (!isRefused(row)) return [];
    const id = this.#id(row);
    const [from, because] = isUnsent(row)
      ? ['', 'The row has 4 cells, the header 3.']
      : [id, `Account ${id}, licenses has invalid integer value.`];
    return [`${row + 2},${from},"${because}",${this.#row(row)}`];
  }

  #id(row: number): string {
    return `${this.prefix}-${String(row).padStart(6, '0')}`;
  }
}

const isUnsent = (row: number) => row % 1_000 === 499;
const isRefused = (row: number) => row % 100 === 99;
