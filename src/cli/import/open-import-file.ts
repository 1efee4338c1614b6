import { CommandFailed } from '../terminal/command-line.js';
import { decode, knowsEncoding } from './decode.js';
import { Input, peek } from './input.js';
import { type Format, hasUtf8Mark, recogniseEncoding, recogniseForm } from './recognise.js';

/** Enough to detect the encoding and the format. */
const SAMPLE_BYTES = 64 * 1024;

/** An open file to import, decoded. */
export interface ImportFile {
  /** The path, or `standard input`. */
  readonly name: string;
  /** Whether it is a pipe: then nothing can be stored beside it, and it cannot be read again by a later import. */
  readonly isPipe: boolean;
  readonly format: Format;
  /** For CSV only. */
  readonly delimiter: string;
  readonly lineEnd: string;
  /** Whether it starts with a byte order mark or is not UTF-8. */
  readonly hasMark: boolean;
  /** In bytes, possibly compressed. */
  readonly size: number;
  /** The bytes of `size` that were read since the last call of `text`. */
  readonly bytesRead: number;
  /** The number of the first line of the text: 2 after a line `sep=;`. */
  readonly firstLine: number;
  /** The whole text, from the start. One reader at a time. */
  text(): AsyncGenerator<string, void>;
  close(): Promise<void>;
}

export async function openImportFile(
  path: string,
  options: {
    readonly format?: Format;
    readonly encoding?: string;
    readonly onCopied?: (bytes: number) => void;
  },
): Promise<ImportFile> {
  if (options.encoding !== undefined && !knowsEncoding(options.encoding)) {
    throw new CommandFailed(
      `The encoding ${options.encoding} is unknown. Use for example utf-8, utf-16le, windows-1252 or iso-8859-15.`,
    );
  }
  const input = await Input.open(path, options.onCopied);
  try {
    return await recognise(input, path, options);
  } catch (error) {
    await input.close();
    throw error;
  }
}

async function recognise(
  input: Input,
  path: string,
  options: { readonly format?: Format; readonly encoding?: string },
): Promise<ImportFile> {
  const { first, all } = await peek(input.bytes(), SAMPLE_BYTES);
  const hasMark = hasUtf8Mark(first);
  // A byte order mark overrides --encoding: rejected rows of a windows-1252 file are written as UTF-8 with a mark.
  const encoding = hasMark ? 'utf-8' : (options.encoding ?? recogniseEncoding(first));
  const sample = decode(all, encoding, input.subject);
  const beginning = (await sample.next()).value ?? '';
  await sample.return();
  if (beginning === '') throw new CommandFailed(`${input.subject} is empty.`);
  const { separatorLine, ...form } = recogniseForm(beginning, options.format);
  return {
    ...form,
    name: path === '-' ? 'standard input' : path,
    isPipe: input.isPipe,
    hasMark: hasMark || new TextDecoder(encoding).encoding !== 'utf-8',
    size: input.size,
    get bytesRead() {
      return input.bytesRead;
    },
    firstLine: separatorLine === '' ? 1 : 2,
    text: () => without(separatorLine.length, decode(input.bytes(), encoding, input.subject)),
    close: () => input.close(),
  };
}

/** The text without its first characters. */
async function* without(length: number, text: AsyncIterable<string>): AsyncGenerator<string, void> {
  let left = length;
  for await (const piece of text) {
    const rest = piece.slice(left);
    left = Math.max(0, left - piece.length);
    if (rest !== '') yield rest;
  }
}
