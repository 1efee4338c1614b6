export interface CreatedKey {
  readonly id: string;
  readonly key: string;
  readonly createdAt: number;
}

/** Sends requests to `/api/v2`, and throws if a response has an unexpected status. */
export class V2Caller {
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(url: string, key: string) {
    this.#url = `${url}/api/v2`;
    this.#headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  }

  async createKey(): Promise<CreatedKey> {
    const response = await this.#post('/keys', { scopes: ['read'] });
    const { id, key, created_at } = JSON.parse(await response.text());
    return { id, key, createdAt: Date.parse(created_at) };
  }

  async statusOf({ key }: CreatedKey): Promise<number> {
    const headers = { authorization: `Bearer ${key}` };
    return (await fetch(`${this.#url}/accounts?limit=1`, { headers })).status;
  }

  /** Signs in and returns the session cookie. */
  async signIn(): Promise<string> {
    const key = this.#headers.authorization?.slice('Bearer '.length);
    const { headers } = await this.#post('/session', { key });
    return headers.getSetCookie()[0]?.split(';')[0] ?? '';
  }

  async sessionStatus(cookie: string): Promise<number> {
    const headers = { cookie, 'x-account-sync-console': '1' };
    return (await fetch(`${this.#url}/session`, { headers })).status;
  }

  async lastCursor(): Promise<string> {
    return (await this.#get('/changes?after=latest&limit=1')).next;
  }

  /** The account and revision of each change after the cursor. */
  async changesAfter(cursor: string): Promise<string[]> {
    const found: string[] = [];
    for (let after = cursor; ; ) {
      const { data, next } = await this.#get(`/changes?after=${after}&limit=1000`);
      if (data.length === 0) return found;
      for (const { account_id, revision } of data) found.push(`${account_id} ${revision}`);
      after = next;
    }
  }

  /** Account ids in the order of their last changes. */
  async listRecent(idPrefix: string): Promise<string[]> {
    const found: string[] = [];
    for (let cursor = ''; ; ) {
      const { data, next } = await this.#get(
        `/accounts?sort=updated&id_prefix=${idPrefix}&limit=1000${cursor}`,
      );
      for (const { account_id } of data) found.push(account_id);
      if (next === null) return found;
      cursor = `&cursor=${next}`;
    }
  }

  async count(): Promise<number> {
    return (await this.#get('/accounts?limit=1&count=true')).count.accounts;
  }

  async #get(path: string) {
    const response = await fetch(this.#url + path, { headers: this.#headers });
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return JSON.parse(await response.text());
  }

  async #post(path: string, body: object): Promise<Response> {
    const init = { method: 'POST', headers: this.#headers, body: JSON.stringify(body) };
    const response = await fetch(this.#url + path, init);
    if (response.status !== 201) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response;
  }
}
