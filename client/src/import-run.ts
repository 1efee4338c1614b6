import { IncompleteImportError } from './errors.js';
import { type ImportLine, summaryOf } from './import-answer.js';
import type { ImportResult, ImportSummary } from './wire.js';

/** An import under way: it begins when its results are asked for, and can be read once. */
export class ImportRun implements AsyncIterable<ImportResult> {
  /** There once all results have been read. */
  summary: ImportSummary | undefined;
  readonly #results: AsyncGenerator<ImportResult>;

  constructor(lines: AsyncGenerator<ImportLine>) {
    this.#results = this.#read(lines);
  }

  [Symbol.asyncIterator](): AsyncGenerator<ImportResult> {
    return this.#results;
  }

  /** Runs to the end, for whom the summary is enough. */
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
