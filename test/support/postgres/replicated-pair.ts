import { vi } from 'vitest';
import type { PostgresServer } from './postgres-server.js';

/** Two running copies of a stopped server: a primary with synchronous replication to a standby. */
export class ReplicatedPair {
  private constructor(
    readonly primary: PostgresServer,
    readonly standby: PostgresServer,
  ) {}

  static async start(origin: PostgresServer): Promise<ReplicatedPair> {
    const primary = await origin.copy({});
    const source = `host=127.0.0.1 port=${primary.port} user=postgres`;
    const standby = await origin.copy({ primary_conninfo: source }, 'standby.signal');
    const pair = new ReplicatedPair(primary, standby);
    try {
      await pair.#connect();
    } catch (error) {
      await pair.remove();
      throw error;
    }
    return pair;
  }

  async #connect(): Promise<void> {
    const { primary, standby } = this;
    await Promise.all([primary.resume(), standby.resume()]);
    await primary.query("alter system set synchronous_standby_names = '*'");
    await primary.query('select pg_reload_conf()');
    const isConnected = async () => {
      const [replication] = await primary.query('select sync_state from pg_stat_replication');
      return replication?.sync_state === 'sync';
    };
    await vi.waitUntil(isConnected, { timeout: 30_000 });
  }

  /** Stops replication: nothing reaches the standby any more. */
  async stall(): Promise<void> {
    const [sender] = await this.primary.query('select pid from pg_stat_replication');
    process.kill(Number(sender?.pid), 'SIGSTOP');
  }

  /** Promotes the standby; resolves when it is the primary. */
  async promote(): Promise<void> {
    const [result] = await this.standby.query('select pg_promote() as is_promoted');
    if (result?.is_promoted !== true) throw new Error(`Not promoted: ${this.standby.log}`);
  }

  async remove(): Promise<void> {
    await Promise.all([this.primary.remove(), this.standby.remove()]);
  }
}
