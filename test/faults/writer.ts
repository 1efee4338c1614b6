import type { Caller } from './caller.js';

const BATCHES = 2;
const SINGLES = 5;

export type Order = 'ascending' | 'descending' | 'shuffled';

/** Writes its own field, and a field that all writers share, to the accounts that all writers share. */
export class Writer {
  readonly field: string;
  /** Account → the last value that was sent. */
  readonly last = new Map<string, number>();
  readonly problems: string[] = [];
  upserts = 0;
  /** Number of accounts that the responses report as created or updated. */
  changes = 0;
  #sent = 0;

  constructor(
    readonly caller: Caller,
    readonly name: string,
    readonly order: Order,
    readonly ids: readonly string[],
  ) {
    this.field = `custom_${name}`;
  }

  /** Sends all accounts in batches, repeats the last batch, and sends some accounts one by one. */
  async run(): Promise<void> {
    const ids = this.#orderedIds();
    for (let batch = 1; batch <= BATCHES; batch += 1) await this.#send(ids);
    await this.#repeat(ids);
    for (const id of ids.slice(0, SINGLES)) await this.#send([id]);
  }

  #orderedIds(): string[] {
    if (this.order === 'ascending') return [...this.ids];
    if (this.order === 'descending') return this.ids.toReversed();
    return this.ids
      .map((id) => [Math.random(), id] as const)
      .sort(([a], [b]) => a - b)
      .map(([, id]) => id);
  }

  async #send(ids: readonly string[]): Promise<void> {
    this.#sent += 1;
    const value = this.#sent;
    for (const id of ids) this.last.set(id, value);
    const { changes } = await this.#post(ids, {
      [this.field]: value,
      custom_Shared: `${this.name} ${value}`,
    });
    if (changes !== ids.length)
      this.problems.push(`${this.name} ${value}: ${changes} of ${ids.length} changed`);
  }

  /** Repeats the last values: they must be unchanged, because no other writer writes this field. */
  async #repeat(ids: readonly string[]): Promise<void> {
    const { unchanged } = await this.#post(ids, { [this.field]: this.#sent });
    if (unchanged !== ids.length) this.problems.push(`${this.name}: ${unchanged} of ${ids.length} unchanged`);
  }

  async #post(ids: readonly string[], fields: object): Promise<{ changes: number; unchanged: number }> {
    const records = ids.map((account_id) => ({ account_id, ...fields }));
    const body = records.length === 1 ? (records[0] ?? {}) : records;
    this.upserts += ids.length;
    const response = await this.caller.post(body, `${this.name}-${this.#sent}`);
    if (!response.success) return { changes: 0, unchanged: 0 };
    const changes = response.created + response.updated;
    this.changes += changes;
    return { changes, unchanged: response.unchanged };
  }
}
