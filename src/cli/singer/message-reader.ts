import { grouped } from '../../domain/text.js';
import type { JsonObject } from '../import/json.js';
import type { JsonRecord } from '../import/json-records.js';
import type { KnownFields } from '../import/known-fields.js';
import { CommandFailed } from '../terminal/command-line.js';
import { printable } from '../terminal/printable.js';
import { readMessage, type SchemaMessage } from './messages.js';
import type { StateOutput } from './state-output.js';
import type { StreamMappings } from './stream-mappings.js';
import { type SingerItem, StreamPlan } from './stream-plan.js';

const DELETED_AT = '_sdc_deleted_at';
const MOST_EXAMPLES = 10;

interface Surroundings {
  readonly mappings: StreamMappings;
  readonly known: KnownFields;
  readonly states: Pick<StateOutput, 'add'>;
  /** Called with each new plan, before a record of it is sent. */
  readonly onPlan: (plan: StreamPlan) => void;
  readonly onIgnored: (stream: string) => void;
}

/** Reads Singer messages: records become items, states are handed on with their position among the items. */
export class MessageReader {
  /** Records that the tap has marked as deleted at the source, and the first of their ids. */
  deleted = 0;
  readonly deletedIds: string[] = [];
  readonly #surroundings: Surroundings;
  /** The plans of the streams that were announced; none for a stream that is not mapped. */
  readonly #plans = new Map<string, StreamPlan | undefined>();
  #items = 0;

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings;
  }

  /** Mapped streams that the tap has not announced. */
  get absentStreams(): string[] {
    return [...this.#surroundings.mappings.keys()].filter((stream) => !this.#plans.has(stream));
  }

  /** Yields what comes before a line with a mistake, then throws. An empty input is one, too: the tap has failed. */
  async *read(lines: AsyncIterable<readonly JsonRecord[]>): AsyncGenerator<readonly SingerItem[]> {
    let isEmpty = true;
    for await (const batch of lines) {
      isEmpty = false;
      const items: SingerItem[] = [];
      let failure: { readonly error: unknown } | undefined;
      try {
        for (const line of batch) items.push(...this.#read(line));
      } catch (error) {
        failure = { error };
      }
      yield items;
      if (failure !== undefined) throw failure.error;
    }
    if (isEmpty) throw new CommandFailed('The tap has sent nothing. Look for the reason in what it prints.');
  }

  #read(line: JsonRecord): SingerItem[] {
    const message = readMessage(line);
    if (message.type === 'SCHEMA') this.#announce(message, line);
    if (message.type === 'STATE') this.#surroundings.states.add(this.#items, message.value);
    if (message.type !== 'RECORD') return [];
    const { stream, record } = message;
    if (!this.#plans.has(stream)) {
      throw new CommandFailed(
        `Line ${grouped(line.line)}: A record of the stream ${printable(stream)} comes before its SCHEMA message.`,
      );
    }
    const plan = this.#plans.get(stream);
    if (plan === undefined || this.#isDeletion(plan, record)) return [];
    this.#items += 1;
    return [plan.itemOf(record, line.line, line.text)];
  }

  /** Taps repeat the same SCHEMA; another one gets a new plan. */
  #announce(schema: SchemaMessage, { line }: JsonRecord): void {
    const { mappings, known, onPlan, onIgnored } = this.#surroundings;
    const { stream } = schema;
    const mapping = mappings.get(stream);
    const earlier = this.#plans.get(stream);
    if (mapping === undefined) {
      if (!this.#plans.has(stream)) onIgnored(stream);
      this.#plans.set(stream, undefined);
    } else if (earlier === undefined || JSON.stringify(earlier.schema) !== JSON.stringify(schema)) {
      const plan = new StreamPlan(schema, mapping, known);
      onPlan(plan);
      const problems = plan.problems();
      if (problems.length > 0) throw new CommandFailed([`Line ${grouped(line)}:`, ...problems].join('\n'));
      this.#plans.set(stream, plan);
    }
  }

  /** Unless the mapping says otherwise, a record of something deleted is no update: it often has its key only. */
  #isDeletion(plan: StreamPlan, record: JsonObject): boolean {
    if ((record[DELETED_AT] ?? null) === null || plan.sends(DELETED_AT)) return false;
    this.deleted += 1;
    if (this.deletedIds.length < MOST_EXAMPLES) this.deletedIds.push(plan.accountIdOf(record));
    return true;
  }
}
