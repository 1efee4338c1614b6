import { grouped } from '../../domain/text.js';
import { ArraySplitter, MalformedArray } from '../../formats/array-splitter.js';
import { type Piece, TOO_LARGE } from '../../formats/record-splitter.js';
import { CommandFailed } from '../terminal/command-line.js';

/** As it stands there; whether it is JSON, nobody has looked yet. */
export interface JsonRecord {
  readonly line: number;
  readonly text: string;
}

const MAX_LENGTH = 10 * 1024 * 1024;

/** The lines that are not blank, as many at a time as come together. */
export async function* ndjsonRecords(
  text: AsyncIterable<string>,
): AsyncGenerator<readonly JsonRecord[], void> {
  let line = 1;
  let held = '';
  const take = (last: string): JsonRecord[] => {
    const whole = lengthen(held, last, line);
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
    held = lengthen(held, piece.slice(start), line);
    if (records.length > 0) yield records;
  }
  const last = take('');
  if (last.length > 0) yield last;
}

function lengthen(held: string, more: string, line: number): string {
  if (held.length + more.length <= MAX_LENGTH) return held + more;
  throw new CommandFailed(
    `Line ${grouped(line)} is longer than ${grouped(MAX_LENGTH)} characters. Write one record a line.`,
  );
}

/** The elements of one array, as many at a time as come together. */
export async function* jsonRecords(text: AsyncIterable<string>): AsyncGenerator<readonly JsonRecord[], void> {
  const elements = new Elements();
  for await (const piece of text) {
    const records = elements.push(piece);
    if (records.length > 0) yield records;
  }
  elements.end();
}

class Elements {
  readonly #splitter = new ArraySplitter(MAX_LENGTH);
  #lineFeedsInside = 0;
  #hasBegun = false;

  push(text: string): JsonRecord[] {
    if (!this.#hasBegun) this.#begin(text);
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
      throw this.#failure('The file ends before the array does. Get all of it, or close the array.');
    }
  }

  #begin(text: string): void {
    const first = /[^ \t\r\n]/.exec(text)?.[0];
    this.#hasBegun = first !== undefined;
    if (this.#hasBegun && first !== '[') {
      throw new CommandFailed('This is no JSON array. Say what it is: --format ndjson, or --format csv.');
    }
  }

  #record(piece: Piece): JsonRecord {
    if (piece === TOO_LARGE) {
      throw this.#failure(`The record that begins there is larger than ${grouped(MAX_LENGTH)} bytes.`);
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
