import { expect } from 'vitest';
import { asJson, freshId, type HttpResponse, send, withKey } from './requests.js';
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

  /** Creates it with an admin key, which belongs to the tenant `plain` unless another is passed. */
  static async create(admin = target.keys.admin): Promise<FreshSource> {
    const name = freshId('source');
    const { status, text } = await send('/api/v2/keys', {
      headers: { ...asJson, ...withKey(admin) },
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

  /** Opens a run with a mode, and returns its id. */
  async openIn(mode: 'upsert' | 'update-only' | 'create-only'): Promise<string> {
    const { status, body } = await this.call('POST', '/runs', { mode });
    expect([status, body.mode]).toEqual([201, mode]);
    return body.id;
  }

  /** Sends one record, or several as a batch. */
  send(body: object, run?: string): Promise<HttpResponse> {
    return send(`/api/v1_1/${Array.isArray(body) ? 'accounts' : 'account'}`, {
      headers: { ...asJson, ...withKey(this.key), ...(run !== undefined && { 'account-sync-run': run }) },
      body: JSON.stringify(body),
    });
  }

  /** The lines of the response to an import; the last one is the summary. */
  async import(
    records: readonly object[],
    { query = '', run }: { readonly query?: string; readonly run?: string } = {},
  ): Promise<readonly unknown[]> {
    const { status, text } = await send(`/api/v2/accounts/import${query}`, {
      headers: { ...asJson, ...withKey(this.key), ...(run !== undefined && { 'account-sync-run': run }) },
      body: JSON.stringify(records),
    });
    expect(status).toBe(200);
    return text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
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
