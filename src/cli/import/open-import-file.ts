import { CommandFailed } from '../terminal/command-line.js';
import { decode, knowsEncoding } from './decode.js';
import { Input, peek, prepend } from './input.js';
import { type Format, hasUtf8Mark, recogniseEncoding, recogniseForm } from './recognise.js';

/** Enough to detect the encoding and the format. */
const SAMPLE_BYTES = 64 * 1024;

/** An open file to import, decoded. It stays open until its text is read or `close` is called. */
export interface ImportFile {
  /** The path, or `standard input`. */
  readonly name: string;
  readonly format: Format;
  /** For CSV only. */
  readonly delimiter: string;
  readonly lineEnd: string;
  /** Whether it starts with a byte order mark or is not UTF-8. */
  readonly hasMark: boolean;
  /** In bytes; `undefined` if it is not a regular file. */
  readonly size: number | undefined;
  /** In bytes on disk, possibly compressed. */
  readonly bytesRead: number;
  /** The number of the first line of the text: 2 after a line `sep=;`. */
  readonly firstLine: number;
  readonly text: AsyncIterable<string>;
  /** Needed only if the text is not read to its end. */
  close(): void;
}

export async function openImportFile(
  path: string,
  options: { readonly format?: Format; readonly encoding?: string },
): Promise<ImportFile> {
  if (options.encoding !== undefined && !knowsEncoding(options.encoding)) {
    throw new CommandFailed(
      `The encoding ${options.encoding} is unknown. Use for example utf-8, utf-16le, windows-1252 or iso-8859-15.`,
    );
  }
  const input = await Input.open(path);
  const { first, all } = await peek(input.bytes(), SAMPLE_BYTES);
  const hasMark = hasUtf8Mark(first);
  // A byte order mark overrides --encoding: rejected rows of a windows-1252 file are written as UTF-8 with a mark.
  const encoding = hasMark ? 'utf-8' : (options.encoding ?? recogniseEncoding(first));
  const text = decode(all, encoding, input.subject);
  const beginning = (await text.next()).value ?? '';
  if (beginning === '') throw new CommandFailed(`${input.subject} is empty.`);
  const { separatorLine, ...form } = recogniseForm(beginning, options.format);
  return {
    ...form,
    name: path === '-' ? 'standard input' : path,
    hasMark: hasMark || new TextDecoder(encoding).encoding !== 'utf-8',
    size: input.size,
    get bytesRead() {
      return input.bytesRead;
    },
    firstLine: separatorLine === '' ? 1 : 2,
    text: prepend(beginning.slice(separatorLine.length), text),
    close: () => input.close(),
  };
}
