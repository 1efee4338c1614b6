import type { Call, CallOptions, Connection } from './connection.js';
import { itemsOf } from './pages.js';
import type { TestDelivery, Webhook, WebhookDelivery, WebhookSettings, WebhookWithSecret } from './wire.js';

export interface ReplayFrom {
  /** The cursor of the last event that was processed. This, or `since`. */
  readonly after?: string;
  /** A moment, for example `2027-02-01T00:00:00Z`. */
  readonly since?: string;
}

/** Deliveries per page. */
const PAGE_SIZE = 100;

/** The webhooks of the tenant. All of it needs a key with the scope `admin`. */
export class Webhooks {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Oldest first. */
  async list({ signal }: CallOptions = {}): Promise<readonly Webhook[]> {
    const { data } = await this.#connection.json<{ data: Webhook[] }>({ path: 'api/v2/webhooks', signal });
    return data;
  }

  get(id: string, { signal }: CallOptions = {}): Promise<Webhook> {
    return this.#connection.json({ path: pathOf(id), signal });
  }

  /** The secret is in this result only. It is not tried again if the response is lost: look with `list` then. */
  create(
    settings: Pick<WebhookSettings, 'url'> & Partial<WebhookSettings>,
    { signal }: CallOptions = {},
  ): Promise<WebhookWithSecret> {
    return this.#connection.json({
      method: 'POST',
      path: 'api/v2/webhooks',
      ...jsonOf(settings),
      once: true,
      signal,
    });
  }

  /** `state` pauses or resumes it. */
  change(
    id: string,
    changes: Partial<WebhookSettings> & { readonly state?: 'active' | 'paused' },
    { signal }: CallOptions = {},
  ): Promise<Webhook> {
    return this.#connection.json({ method: 'PATCH', path: pathOf(id), ...jsonOf(changes), signal });
  }

  /** `false` if there was no such webhook. */
  remove(id: string, { signal }: CallOptions = {}): Promise<boolean> {
    const call: Call = { method: 'DELETE', path: pathOf(id), mayBeMissing: true, signal };
    return this.#connection.send(call, async (response, attempt) => {
      await response.text();
      // On a retry, 404 can mean that an earlier attempt has removed it.
      return response.ok || attempt > 0;
    });
  }

  /** The new secret is in this result only. Messages are signed with the old one, too, for 24 hours. */
  rotateSecret(id: string, { signal }: CallOptions = {}): Promise<WebhookWithSecret> {
    return this.#connection.json({ method: 'POST', path: pathOf(id, 'rotate-secret'), once: true, signal });
  }

  /** Sends everything again from there on, and resumes it. */
  replay(id: string, from: ReplayFrom, { signal }: CallOptions = {}): Promise<Webhook> {
    const path = pathOf(id, 'replay');
    return this.#connection.json({ method: 'POST', path, ...jsonOf(from), once: true, signal });
  }

  /** Sends a test event, and returns what the receiver has answered. */
  test(id: string, { signal }: CallOptions = {}): Promise<TestDelivery> {
    return this.#connection.json({ method: 'POST', path: pathOf(id, 'test'), once: true, signal });
  }

  /** Newest first. */
  deliveries(id: string, { signal }: CallOptions = {}): AsyncGenerator<WebhookDelivery> {
    return itemsOf(this.#connection, { path: pathOf(id, 'deliveries'), query: { limit: PAGE_SIZE }, signal });
  }
}

function pathOf(id: string, what?: string): string {
  return `api/v2/webhooks/${encodeURIComponent(id)}${what === undefined ? '' : `/${what}`}`;
}

function jsonOf(content: object) {
  return { contentType: 'application/json', body: JSON.stringify(content) };
}
