import { readFile } from 'node:fs/promises';
import { isObject, parseJson } from '../import/json.js';
import { CommandFailed } from '../terminal/command-line.js';

/** Property → field, or null if it is not sent. `*` stands for all others: under their own names, or not sent. */
export type StreamMapping = ReadonlyMap<string, string | null>;

/** The streams to send; others are ignored. */
export type StreamMappings = ReadonlyMap<string, StreamMapping>;

export async function readStreamMappings({
  mapping: path,
  stream: names = [],
}: {
  readonly mapping?: string;
  readonly stream?: readonly string[];
}): Promise<StreamMappings> {
  if (path === undefined) {
    if (names.length === 0) {
      throw new CommandFailed(
        'No stream is named. Set --mapping <file>, or --stream <name> for each stream.',
      );
    }
    return new Map(names.map((name) => [name, new Map()]));
  }
  const text = await readFile(path, 'utf8').catch(({ message }: Error) => {
    throw new CommandFailed(`Cannot read the mapping file: ${message}.`);
  });
  const mappings = parseStreamMappings(text);
  if (mappings !== undefined) return mappings;
  throw new CommandFailed(
    `${path} must contain the streams to send, each with an object that maps properties to fields, or to null if they are not sent: {"streams": {"Account": {"Id": "account_id", "Description": null}}}`,
  );
}

/** `undefined` if the text is not a mapping. */
export function parseStreamMappings(text: string): StreamMappings | undefined {
  const file = parseJson(text.replace(/^\ufeff/, ''));
  if (!isObject(file) || !isObject(file.streams) || Object.keys(file).length > 1) return undefined;
  const mappings = Object.entries(file.streams).map(([stream, mapping]) => [stream, streamMapping(mapping)]);
  if (mappings.length === 0 || mappings.some(([, mapping]) => mapping === undefined)) return undefined;
  return new Map(mappings as [string, StreamMapping][]);
}

function streamMapping(mapping: unknown): StreamMapping | undefined {
  if (!isObject(mapping)) return undefined;
  const entries = Object.entries(mapping);
  if (!entries.every(([property, field]) => isField(property, field))) return undefined;
  return new Map(
    (entries as [string, string | null][]).map(([property, field]) => [property, field?.trim() ?? null]),
  );
}

function isField(property: string, field: unknown): boolean {
  if (field === null) return true;
  return typeof field === 'string' && field.trim() !== '' && (property === '*') === (field.trim() === '*');
}
