import { afterAll, beforeAll } from 'vitest';
import type { Database } from '../support/databases.js';
import type { Target } from './import-request.js';
import { RunningServer } from './running-server.js';

export const MAX_BYTES = 64 * 1024;

/** A server over one database for all tests of a `describe`, on a real port. */
export class ImportServer {
  #database: Database | undefined;
  #running: RunningServer | undefined;
  url = '';
  #tenants = 0;

  constructor(createDatabase: () => Promise<Database>) {
    beforeAll(async () => {
      this.#database = await createDatabase();
      await this.start();
    }, 60_000);
    afterAll(async () => {
      await this.running.stop();
      await this.#database?.remove();
    }, 60_000);
  }

  get databaseUrl(): string {
    return (this.#database as Database).url;
  }

  get running(): RunningServer {
    return this.#running as RunningServer;
  }

  async start(): Promise<void> {
    const store = { database: this.databaseUrl };
    const config = { maxBodyBytes: MAX_BYTES };
    this.#running = await RunningServer.start({ store, config, clock: () => 1_000 });
    this.url = await this.running.app.listen({ host: '127.0.0.1', port: 0 });
  }

  /** A tenant without accounts. */
  async freshTarget(): Promise<Target & { name: string; tenantId: number }> {
    this.#tenants += 1;
    const name = `tenant-${this.#tenants}`;
    const key = await this.running.addTenant(name);
    const tenant = await this.running.store.directory.findTenant({ name });
    return { url: this.url, key, name, tenantId: tenant?.id ?? 0 };
  }
}
