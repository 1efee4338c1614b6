import { grouped } from '../../domain/text.js';
import { isObject, type Json, type JsonObject, parseJson } from '../import/json.js';
import type { JsonRecord } from '../import/json-records.js';
import { CommandFailed } from '../terminal/command-line.js';
import { printable } from '../terminal/printable.js';
import { rawMember } from './raw-member.js';

export interface SchemaMessage {
  readonly type: 'SCHEMA';
  readonly stream: string;
  readonly properties: readonly string[];
  readonly keyProperties: readonly string[];
}

interface RecordMessage {
  readonly type: 'RECORD';
  readonly stream: string;
  readonly record: JsonObject;
}

interface StateMessage {
  readonly type: 'STATE';
  /** JSON, as the tap has written it. */
  readonly value: string;
}

/** Says that all records of a version of a stream have come. Targets that hold rows of older versions drop them. */
interface ActivateVersionMessage {
  readonly type: 'ACTIVATE_VERSION';
}

export type Message = SchemaMessage | RecordMessage | StateMessage | ActivateVersionMessage;

/** Reads a line of Singer messages. What cannot be understood may hold records, so it ends the command. */
export function readMessage({ line, text }: JsonRecord): Message {
  const fail = (problem: string) => new CommandFailed(`Line ${grouped(line)}: ${problem}`);
  const message = parseJson(text);
  if (!isObject(message)) {
    throw fail(`This is not a Singer message but ${excerpt(text)}. A tap writes one JSON object per line.`);
  }
  const { type } = message;
  // The specification says that types are compared without regard to case.
  switch (typeof type === 'string' ? type.toUpperCase() : undefined) {
    case 'SCHEMA':
      return schemaMessage(message, fail);
    case 'RECORD': {
      const { record } = message;
      if (!isObject(record)) throw fail('The RECORD message has no object "record".');
      return { type: 'RECORD', stream: streamOf(message, fail), record };
    }
    case 'STATE': {
      const value = rawMember(text, 'value');
      if (value === undefined) throw fail('The STATE message has no "value".');
      return { type: 'STATE', value };
    }
    case 'ACTIVATE_VERSION':
      return { type: 'ACTIVATE_VERSION' };
    case 'BATCH':
      throw fail(
        'The tap sends BATCH messages, which only name files. Remove batch_config from its configuration, so that it sends records.',
      );
    default:
      throw fail(
        `The message type ${excerpt(JSON.stringify(type ?? null))} is unknown. It may hold records, so nothing after it is read.`,
      );
  }
}

type Fail = (problem: string) => CommandFailed;

function schemaMessage(message: JsonObject, fail: Fail): SchemaMessage {
  const { schema, key_properties: keys } = message;
  if (!isObject(schema)) throw fail('The SCHEMA message has no object "schema".');
  const { properties } = schema;
  return {
    type: 'SCHEMA',
    stream: streamOf(message, fail),
    properties: isObject(properties) ? Object.keys(properties) : [],
    keyProperties: Array.isArray(keys) ? keys.filter((key: Json) => typeof key === 'string') : [],
  };
}

function streamOf({ type, stream }: JsonObject, fail: Fail): string {
  if (typeof stream === 'string' && stream !== '') return stream;
  throw fail(`The ${type} message names no "stream".`);
}

function excerpt(text: string): string {
  return printable(text.length > 60 ? `${text.slice(0, 59)}…` : text);
}
