import type { Writable } from 'node:stream';
import type { Random } from '../../dist/cli/demo/random.js';

const RECORDS = 20_000;
const ACCOUNTS = 700;
/** Every so many records, one is rejected. */
const REJECTED_EVERY = 97;

const PROPERTIES = {
  account_id: { type: 'string' },
  name: { type: 'string' },
  licenses: { type: 'integer' },
};
const SCHEMA = {
  type: 'SCHEMA',
  stream: 'accounts',
  schema: { properties: PROPERTIES },
  key_properties: ['account_id'],
};

/**
 * A Singer tap that sends the same records and states whenever it is started, from the record after the state that it
 * is given. Each account comes many times, so that an older record that is stored after a newer one shows.
 */
export class ReplayableTap {
  readonly #prefix: string;
  /** The number of records before each state. */
  readonly #states = new Set<number>([RECORDS]);

  constructor(prefix: string, random: Random) {
    this.#prefix = prefix;
    // States come after one record or after hundreds, as taps differ.
    const gap = random.pick([1, 40, 800]);
    for (let at = 0; at < RECORDS; at += random.between(1, gap)) this.#states.add(at);
  }

  get end(): number {
    return RECORDS;
  }

  /** The names of the accounts after this number of records, and the accounts of records that were rejected. */
  after(records: number): { readonly names: Map<string, string>; readonly rejected: Set<string> } {
    const names = new Map<string, string>();
    const rejected = new Set<string>();
    for (let number = 1; number <= records; number += 1) {
      const id = this.#accountOf(number);
      if (isRejected(number)) rejected.add(nameOf(number));
      else names.set(id, nameOf(number));
    }
    return { names, rejected };
  }

  /** Writes as fast as the target reads, until the target ends. `onRead` gets the number of records that it has read. */
  async write(target: Writable, state: number, onRead = (_records: number) => {}): Promise<void> {
    target.on('error', () => {});
    let piece = lineOf(SCHEMA);
    for (let number = state + 1; number <= RECORDS && !target.destroyed; number += 1) {
      piece += lineOf({ type: 'RECORD', stream: 'accounts', record: this.#record(number) });
      if (this.#states.has(number)) piece += lineOf({ type: 'STATE', value: { records: number } });
      if (number % 50 !== 0) continue;
      await new Promise((resolve) => target.write(piece, resolve));
      piece = '';
      onRead(number - state);
    }
    target.end(piece);
  }

  #accountOf(number: number): string {
    return `${this.#prefix}-${(number * 389) % ACCOUNTS}`;
  }

  #record(number: number) {
    const licenses = isRejected(number) ? 'many' : number;
    return { account_id: this.#accountOf(number), name: nameOf(number), licenses };
  }
}

function isRejected(number: number): boolean {
  return number % REJECTED_EVERY === 0;
}

function nameOf(number: number): string {
  return `Record ${number}`;
}

function lineOf(message: object): string {
  return `${JSON.stringify(message)}\n`;
}
