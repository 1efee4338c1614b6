export const BATCH_SIZE = 20;

/** Accounts and batches sent without pause, and a record of what was acknowledged. */
export class Load {
  /** Account id → value of the last acknowledged request for it. */
  readonly acknowledged = new Map<string, number>();
  readonly sentBatches: string[] = [];
  readonly acknowledgedBatches = new Set<string>();
  /** Requests that were answered, but not with success. */
  refused = 0;
  #sent = 0;
  #stopped = false;

  /** Runs until a connection breaks; may be run again against the next server. */
  run(url: string, key: string, connections: number): Promise<unknown> {
    this.#stopped = false;
    return Promise.all(
      Array.from({ length: connections }, (_, i) =>
        i % 4 === 0 ? this.#batches(url, key) : this.#singles(url, key),
      ),
    );
  }

  async #singles(url: string, key: string): Promise<void> {
    while (!this.#stopped) {
      this.#sent += 1;
      const licenses = this.#sent;
      const id = `single-${licenses}`;
      if (await this.#post(`${url}/api/v1_1/account`, key, { account_id: id, licenses })) {
        this.acknowledged.set(id, licenses);
      }
    }
  }

  async #batches(url: string, key: string): Promise<void> {
    while (!this.#stopped) {
      this.#sent += 1;
      const batch = `batch-${this.#sent}`;
      this.sentBatches.push(batch);
      const records = Array.from({ length: BATCH_SIZE }, (_, i) => ({
        account_id: `${batch}-${i}`,
        licenses: i,
      }));
      if (await this.#post(`${url}/api/v1_1/accounts`, key, records)) this.acknowledgedBatches.add(batch);
    }
  }

  async #post(url: string, key: string, body: unknown): Promise<boolean> {
    try {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
      const acknowledged = response.status === 200 && (await response.text()) === '{"success":true}';
      if (!acknowledged) this.refused += 1;
      return acknowledged;
    } catch {
      // The connection broke: whether the request was stored is not known, and was not promised.
      this.#stopped = true;
      return false;
    }
  }
}
