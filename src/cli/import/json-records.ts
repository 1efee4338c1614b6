import { grouped } from '../../domain/text.js';
import { ArraySplitter, MalformedArray } from '../../formats/array-splitter.js';
import { type Piece, TOO_LARGE } from '../../formats/record-splitter.js';
import { CommandFailed } from '../terminal/command-line.js';

/** The text of one record, not parsed yet. */
export interface JsonRecord {
  readonly line: number;
  readonly text: string;
}

const MAX_LENGTH = 10 * 1024 * 1024;

/** The non-blank lines, in one array for each piece of text. */
export async function* ndjsonRecords(
  text: AsyncIterable<string>,
): AsyncGenerator<readonly JsonRecord[], void> {
  let line = 1;
  let held = '';
  const take = (last: string): JsonRecord[] => {
    const whole = append(held, last, line);
    held = '';
    if (!/\S/.test(whole)) return [];
    return [{ line, text: whole.endsWith('\r') ? whole.slice(0, -1) : whole }];
  };
  for await (const piece of text) {
    const records: JsonRecord[] = [];
    let start = 0;
    for (let end = piece.indexOf('\n'); end !== -1; end = piece.indexOf('\n', start)) {
      records.push(...take(piece.slice(start, end)));
      line += 1;
      start = end + 1;
    }
    held = append(held, piece.slice(start), line);
    if (records.length > 0) yield records;
  }
  const last = take('');
  if (last.length > 0) yield last;
}

function append(held: string, more: string, line: number): string {
  if (held.length + more.length <= MAX_LENGTH) return held + more;
  throw new CommandFailed(
    `Line ${grouped(line)} is longer than ${grouped(MAX_LENGTH)} characters. Write one record per line.`,
  );
}

/** The elements of a JSON array, in one array for each piece of text. */
export async function* jsonRecords(text: AsyncIterable<string>): AsyncGenerator<readonly JsonRecord[], void> {
  const elements = new ElementReader();
  for await (const piece of text) {
    const records = elements.push(piece);
    if (records.length > 0) yield records;
  }
  elements.end();
}

/** Adds line numbers and readable errors to `ArraySplitter`. */
class ElementReader {
  readonly #splitter = new ArraySplitter(MAX_LENGTH);
  #lineFeedsInside = 0;
  #hasStarted = false;

  push(text: string): JsonRecord[] {
    if (!this.#hasStarted) this.#checkStart(text);
    const records: JsonRecord[] = [];
    try {
      for (const piece of this.#splitter.push(Buffer.from(text))) records.push(this.#record(piece));
    } catch (error) {
      throw error instanceof MalformedArray ? this.#failure(error.message) : error;
    }
    return records;
  }

  end(): void {
    try {
      this.#splitter.end().next();
    } catch {
      throw this.#failure('The file ends before the array does. Get a complete copy, or close the array.');
    }
  }

  #checkStart(text: string): void {
    const first = /[^ \t\r\n]/.exec(text)?.[0];
    this.#hasStarted = first !== undefined;
    if (this.#hasStarted && first !== '[') {
      throw new CommandFailed('This is not a JSON array. Give its format: --format ndjson or --format csv.');
    }
  }

  #record(piece: Piece): JsonRecord {
    if (piece === TOO_LARGE) {
      throw this.#failure(`The record that starts there is larger than ${grouped(MAX_LENGTH)} bytes.`);
    }
    const record = { line: this.#line, text: piece.toString() };
    this.#lineFeedsInside += record.text.split('\n').length - 1;
    return record;
  }

  get #line(): number {
    return 1 + this.#splitter.lineFeeds + this.#lineFeedsInside;
  }

  #failure(problem: string): CommandFailed {
    return new CommandFailed(`Line ${grouped(this.#line)}: ${problem}`);
  }
}
