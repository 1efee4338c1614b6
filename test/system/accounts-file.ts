import { readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ImportState } from '../../dist/cli/import/result-tracker.js';
import { freshDirectory, run, type Settings } from '../support/service.js';

const HEADER = 'account_id,name,licenses';

/** A CSV file in its own directory. The server rejects one row in a hundred; one in a thousand is not even sent. */
export class AccountsFile {
  private constructor(
    readonly path: string,
    readonly prefix: string,
    readonly rows: number,
  ) {}

  /** All ids start with the prefix, which separates several files in one server. */
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

  /** The first lines that an import of the file prints. */
  get plan(): string[] {
    return [
      `${this.path}: CSV, separated by commas. An empty cell clears the stored value (--empty keep keeps it).`,
      '',
      'COLUMN      FIELD       TYPE',
      'account_id  account_id  id',
      'name        name        text',
      'licenses    licenses    integer',
      '',
    ];
  }

  /** The saved progress of its import. */
  async standing(): Promise<ImportState> {
    return JSON.parse(await readFile(this.progressPath, 'utf8')).state;
  }

  async rejects(): Promise<string[]> {
    return (await readFile(this.rejectsPath, 'utf8')).split('\n');
  }

  /** The expected lines of the file of rejected rows after this many processed rows. */
  expectedRejects(rows = this.rows): string[] {
    const lines = Array.from({ length: rows }, (_, row) => this.#rejected(row)).flat();
    return [`rejected_line,rejected_id,rejected_because,${HEADER}`, ...lines, ''];
  }

  /** How many of the rows after these are sent to a server. */
  sentAfter(rows: number): number {
    return this.#rowsBehind(rows).filter((text) => !text.endsWith(',extra')).length;
  }

  /** Its accounts on a server, as lines of NDJSON. */
  async exported(caller: Settings): Promise<string[]> {
    const args = ['export', '--format', 'ndjson', '--quiet', '--filter', `id_prefix=${this.prefix}-`];
    return (await run(args, caller)).stdout.split('\n');
  }

  /** The expected result of `exported` after this many processed rows. */
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
