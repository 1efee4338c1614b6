import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import { RawConnection } from '../support/raw-connection.js';
import { freshDirectory, runJson, Service } from '../support/service.js';
import { LatencyProbe } from './latency-probe.js';
import type { Trial } from './trial.js';

const isLong = process.env.FAULTS === 'long';
/** The length of an attack, and of the quiet phase before it. */
export const PHASE_MS = isLong ? 3_000 : 300;
/** A small JavaScript heap: with gigabytes of heap, the test would measure garbage that is not collected yet. */
const HEAP_MIB = 256;
/** The heap, and buffers outside the heap. */
const MAX_GROWTH_MIB = HEAP_MIB + 128;
/** Connections of the probe, and files that the database opens at times. */
const SPARE_DESCRIPTORS = 4;

/** A service under attack, while a probe of another tenant measures normal requests. */
export class AttackedService {
  readonly #service: Service;
  readonly #probe: LatencyProbe;
  readonly #times = new Map<Trial, { quiet: number[]; during: number[] }>();
  #quietMiB = 0;

  private constructor(service: Service, probe: LatencyProbe) {
    this.#service = service;
    this.#probe = probe;
  }

  static async start(): Promise<AttackedService> {
    // Only errors are logged, so that any output is a failure of the test.
    const settings = {
      ACCOUNT_SYNC_LOG_LEVEL: 'error',
      ACCOUNT_SYNC_DATA_DIR: await freshDirectory(),
      NODE_OPTIONS: `--max-old-space-size=${HEAP_MIB}`,
    };
    const service = await Service.start(settings);
    // The probe is another tenant, because limits apply to each tenant separately.
    const probe = new LatencyProbe(service.url, await createTenant(service, 'probe'));
    const attacked = new AttackedService(service, probe);
    await attacked.#probe.during(() => pause(1_000));
    attacked.#quietMiB = attacked.#memoryMiB();
    return attacked;
  }

  get url(): string {
    return this.#service.url;
  }

  get key(): string {
    return this.#service.key;
  }

  /** The headers of an authorized request. */
  get authorizedHeaders(): string[] {
    return ['Host: a', `Authorization: Bearer ${this.key}`];
  }

  /** Creates a tenant and returns a key with all scopes. */
  createTenant(name: string): Promise<string> {
    return createTenant(this.#service, name);
  }

  connect(): Promise<RawConnection> {
    return RawConnection.open(this.url);
  }

  connectMany(count: number): Promise<RawConnection[]> {
    return Promise.all(Array.from({ length: count }, () => this.connect()));
  }

  /** The status of the response for an account. */
  async find(accountId: string): Promise<number> {
    const headers = { authorization: `Bearer ${this.key}` };
    return (await fetch(`${this.url}/api/v2/accounts/${accountId}`, { headers })).status;
  }

  /** Runs an attack. Fails if the probe sees errors, or if memory, descriptors or error output remain. */
  async expectUnaffected(trial: Trial, attack: () => Promise<unknown>): Promise<void> {
    const quiet = await this.#probe.during(() => pause(PHASE_MS));
    const descriptors = this.#descriptors();
    let peakMiB = 0;
    const watch = setInterval(() => {
      peakMiB = Math.max(peakMiB, this.#memoryMiB());
    }, 20);
    const during = await this.#probe.during(attack).finally(() => clearInterval(watch));
    this.#recordTimes(trial, quiet.p99Ms, during.p99Ms);
    trial.figures['most memory above quiet, MiB'] = Math.max(
      trial.figures['most memory above quiet, MiB'] ?? 0,
      peakMiB - this.#quietMiB,
    );
    expect([...quiet.problems, ...during.problems]).toEqual([]);
    // The service reads one body per turn of its event loop, and notices that a connection is closed only after what
    // was received of it.
    await expect
      .poll(() => this.#descriptors(), { timeout: 60_000 })
      .toBeLessThanOrEqual(descriptors + SPARE_DESCRIPTORS);
    expect(Math.max(peakMiB, this.#memoryMiB()) - this.#quietMiB).toBeLessThan(MAX_GROWTH_MIB);
    expect(this.#service.output.stderr).toBe('');
  }

  /** Stops the service. Exit status 0 shows that it did not crash before. */
  async end(): Promise<void> {
    await this.#probe.stop();
    const status = await this.#service.stop();
    const { stderr } = this.#service.output;
    await this.#service.stopAndRemove();
    expect([status, stderr]).toEqual([0, '']);
  }

  /** Records medians, because a single phase is not reliable on a busy machine. */
  #recordTimes(trial: Trial, quietMs: number, duringMs: number): void {
    const times = this.#times.get(trial) ?? { quiet: [], during: [] };
    this.#times.set(trial, times);
    times.quiet.push(quietMs);
    times.during.push(duringMs);
    trial.figures['quiet p99, µs'] = 1_000 * median(times.quiet);
    trial.figures['p99 during the attack, µs'] = 1_000 * median(times.during);
    const ratios = times.during.map((ms, i) => ms / (times.quiet[i] ?? ms));
    trial.figures['ratio, %'] = 100 * median(ratios);
  }

  #memoryMiB(): number {
    const { pid } = this.#service;
    const kilobytes = existsSync(`/proc/${pid}/status`)
      ? /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
      : execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' });
    return Number(kilobytes) / 1024;
  }

  #descriptors(): number {
    const { pid } = this.#service;
    if (existsSync(`/proc/${pid}/fd`)) return readdirSync(`/proc/${pid}/fd`).length;
    return execFileSync('lsof', ['-p', String(pid)], { encoding: 'utf8' }).split('\n').length;
  }
}

async function createTenant({ settings }: Service, name: string): Promise<string> {
  await runJson(settings, 'tenant', 'create', name);
  const { key } = await runJson(settings, 'key', 'create', name, '--scope', 'sync', 'read', 'admin');
  return key;
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}
