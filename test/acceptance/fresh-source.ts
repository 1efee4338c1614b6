import { expect } from 'vitest';
import { asJson, freshId, send, withKey } from './requests.js';
import { target } from './target.js';

export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: any JSON, compared as a whole or in parts.
  readonly body: any;
}

/** A source with a key of its own, so that its missing accounts do not depend on other tests. */
export class FreshSource {
  private constructor(
    readonly name: string,
    readonly key: string,
  ) {}

  static async create(): Promise<FreshSource> {
    const name = freshId('source');
    const { status, text } = await send('/api/v2/keys', {
      headers: { ...asJson, ...withKey(target.keys.admin) },
      body: JSON.stringify({ scopes: ['sync', 'read'], label: name }),
    });
    const { key, source } = JSON.parse(text);
    expect([status, source]).toEqual([201, name]);
    return new FreshSource(name, key);
  }

  /** Calls an operation of `/api/v2`. */
  async call(method: 'GET' | 'POST', path: string, body?: unknown, requestId?: string): Promise<Answer> {
    const { status, text } = await send(`/api/v2${path}`, {
      method,
      headers: {
        ...withKey(this.key),
        ...(body !== undefined && asJson),
        ...(requestId !== undefined && { 'x-request-id': requestId }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status, body: JSON.parse(text) };
  }

  /** Opens a run, and returns its id. */
  async open(missing?: 'archive' | 'report' | 'ignore'): Promise<string> {
    const { status, body } = await this.call('POST', '/runs', missing && { missing });
    expect(status).toBe(201);
    return body.id;
  }

  finish(id: string, body?: object, requestId?: string): Promise<Answer> {
    return this.call('POST', `/runs/${id}/finish`, body, requestId);
  }

  /** Sends a batch, which has to be stored. */
  async push(ids: readonly string[], run?: string): Promise<void> {
    const { text } = await send('/api/v1_1/accounts', {
      headers: { ...asJson, ...withKey(this.key), ...(run !== undefined && { 'account-sync-run': run }) },
      body: JSON.stringify(ids.map((account_id) => ({ account_id, name: `Name of ${account_id}` }))),
    });
    expect(text).toBe('{"success":true}');
  }

  /** Opens a run, pushes accounts in it, and finishes it. */
  async mirror(
    ids: readonly string[],
    {
      missing = 'archive',
      max = 100,
    }: { readonly missing?: 'archive' | 'report'; readonly max?: number } = {},
  ): Promise<Answer> {
    const run = await this.open(missing);
    await this.push(ids, run);
    return this.finish(run, { max_missing_percent: max });
  }

  /** The ids of the accounts that are missing from a run. */
  async missing(id: string): Promise<string[]> {
    const { status, body } = await this.call('GET', `/runs/${id}/missing`);
    expect([status, body.next]).toEqual([200, null]);
    return body.data.map(({ account_id }: { account_id: string }) => account_id);
  }

  async isArchived(id: string): Promise<boolean> {
    const { status, body } = await this.call('GET', `/accounts/${id}`);
    expect(status).toBe(200);
    return body.archived_at !== null;
  }
}

/** Ids of accounts in their order, which no other test uses. */
export function freshIds(count: number): string[] {
  const stem = freshId();
  return Array.from({ length: count }, (_, i) => `${stem}-${String(i).padStart(4, '0')}`);
}
