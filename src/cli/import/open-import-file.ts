import { CommandFailed } from '../terminal/command-line.js';
import { decode, knowsEncoding } from './decode.js';
import { begin, continued, Input } from './input.js';
import { type Format, hasUtf8Mark, recogniseEncoding, recogniseForm } from './recognise.js';

/** Enough to tell the form of what follows. */
const SAMPLE_BYTES = 64 * 1024;

/** A text to import from. It stays open until its text was read, or its reading was given up. */
export interface Source {
  /** The path, or `standard input`. */
  readonly name: string;
  readonly format: Format;
  /** Of CSV. */
  readonly delimiter: string;
  readonly lineEnd: string;
  /** It began with a byte order mark, or is not UTF-8. */
  readonly hasMark: boolean;
  /** In bytes; undefined where it is no regular file. */
  readonly size: number | undefined;
  /** In bytes as they are stored, compressed or not. */
  readonly bytesRead: number;
  /** The number of the first line of the text: 2 behind a line `sep=;`. */
  readonly firstLine: number;
  readonly text: AsyncIterable<string>;
  /** For whoever does not read it to its end. */
  close(): void;
}

export async function openImportFile(
  path: string,
  options: { readonly format?: Format; readonly encoding?: string },
): Promise<Source> {
  if (options.encoding !== undefined && !knowsEncoding(options.encoding)) {
    throw new CommandFailed(
      `There is no encoding ${options.encoding}. Known are utf-8, utf-16le, windows-1252, iso-8859-15 and others.`,
    );
  }
  const input = await Input.open(path);
  const { first, all } = await begin(input.bytes(), SAMPLE_BYTES);
  const hasMark = hasUtf8Mark(first);
  // A mark goes before --encoding: the refused rows of a file in windows-1252 are UTF-8, and have one.
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
    text: continued(beginning.slice(separatorLine.length), text),
    close: () => input.close(),
  };
}
