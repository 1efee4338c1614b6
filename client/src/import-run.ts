import { IncompleteImportError } from './errors.js';
import { type ImportLine, summaryOf } from './import-response.js';
import type { ImportResult, ImportSummary } from './wire.js';

/** An import in progress. It starts when its results are first read, and they can be read once. */
export class ImportRun implements AsyncIterable<ImportResult> {
  /** Set after all results have been read. */
  summary: ImportSummary | undefined;
  readonly #results: AsyncGenerator<ImportResult>;

  constructor(lines: AsyncGenerator<ImportLine>) {
    this.#results = this.#read(lines);
  }

  [Symbol.asyncIterator](): AsyncGenerator<ImportResult> {
    return this.#results;
  }

  /** Runs the import to the end and returns only the summary. */
  async finish(): Promise<ImportSummary> {
    while (!(await this.#results.next()).done);
    return summaryOf(this.summary && { summary: this.summary });
  }

  async *#read(lines: AsyncGenerator<ImportLine>): AsyncGenerator<ImportResult> {
    let last: ImportLine | undefined;
    for await (const line of lines) {
      if (!('summary' in line)) yield line;
      last = line;
    }
    this.summary = summaryOf(last);
    if (!this.summary.is_complete) throw new IncompleteImportError(this.summary);
  }
}
