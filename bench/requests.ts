/** Sent before anything is measured, so that there are accounts to change. */
const FIRST_ACCOUNTS = 20_000;
const BATCH = 200;

/**
 * Accounts as a CRM would send them: of every two, one is new to its server and one changes an account that was
 * stored a while ago. No account comes twice in a batch.
 */
export class AccountSource {
  #sent = 0;
  #created = 0;
  #changed = 0;
  #lastToChange = 0;

  next() {
    this.#sent += 1;
    const isNew = this.#sent <= FIRST_ACCOUNTS || this.#sent % 2 === 1;
    const id = isNew ? this.#create() : this.#change();
    return {
      account_id: `Account-${id}`,
      parent_account_id: `holding-${id % 100}`,
      name: `Account number ${id}`,
      licenses: this.#sent,
      custom_Is_Valid: id % 2 === 0,
      custom_External_Created_On: '2021-05-31',
      custom_External_Created_At: '2021-05-31T10:20:30Z',
    };
  }

  #create(): number {
    this.#created += 1;
    return this.#created;
  }

  /** Goes through all accounts that there were when it began, again and again. */
  #change(): number {
    if (this.#changed === this.#lastToChange) {
      this.#changed = 0;
      this.#lastToChange = this.#created;
    }
    this.#changed += 1;
    return this.#changed;
  }
}

export interface Workload {
  readonly name: string;
  readonly connections: number;
  /** In one request. */
  readonly records: number;
  /** A whole request as it goes over the wire. */
  request(source: AccountSource, key: string): Buffer;
}

export const singles: Workload = {
  name: 'Single upserts, 64 connections',
  connections: 64,
  records: 1,
  request: (source, key) => asRequest('/api/v1_1/account', key, source.next()),
};

export const batches: Workload = {
  name: `Batches of ${BATCH}, 8 connections`,
  connections: 8,
  records: BATCH,
  request: (source, key) =>
    asRequest(
      '/api/v1_1/accounts',
      key,
      Array.from({ length: BATCH }, () => source.next()),
    ),
};

/** How many batches bring the first accounts. */
export const FIRST_BATCHES = FIRST_ACCOUNTS / BATCH;

function asRequest(path: string, key: string, value: unknown): Buffer {
  const body = JSON.stringify(value);
  return Buffer.from(
    `POST ${path} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${key}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
