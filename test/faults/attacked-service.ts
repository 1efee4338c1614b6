import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import { RawConnection } from '../support/raw-connection.js';
import { freshDirectory, runJson, Service } from '../support/service.js';
import { SteadyCaller } from './steady-caller.js';
import type { Trial } from './trial.js';

const isLong = process.env.FAULTS === 'long';
/** How long an attack goes on, and how long the quiet before it. */
export const PHASE_MS = isLong ? 3_000 : 300;
/** For the objects of the program: with room for gigabytes, it would be garbage that is measured. */
const HEAP_MIB = 256;
/** Of these, and of buffers beside them. */
const MAX_GROWTH_MIB = HEAP_MIB + 128;
/** Of what the steady caller has open besides, and of files that the database opens now and then. */
const SPARE_DESCRIPTORS = 4;

/** A service that somebody attacks, while somebody else uses it as it is meant to be used. */
export class AttackedService {
  readonly #service: Service;
  readonly #steady: SteadyCaller;
  readonly #times = new Map<Trial, { quiet: number[]; beside: number[] }>();
  #quietMiB = 0;

  private constructor(service: Service, steady: SteadyCaller) {
    this.#service = service;
    this.#steady = steady;
  }

  static async start(): Promise<AttackedService> {
    // Whatever is logged as an error, or written beside the log, is a mistake.
    const ours = {
      ACCOUNT_SYNC_LOG_LEVEL: 'error',
      ACCOUNT_SYNC_DATA_DIR: await freshDirectory(),
      NODE_OPTIONS: `--max-old-space-size=${HEAP_MIB}`,
    };
    const service = await Service.start(ours);
    // Somebody else: who asks for a lot waits for himself.
    const steady = new SteadyCaller(service.url, await createTenant(service, 'steady'));
    const attacked = new AttackedService(service, steady);
    await attacked.#steady.during(() => pause(1_000));
    attacked.#quietMiB = attacked.#memoryMiB();
    return attacked;
  }

  get url(): string {
    return this.#service.url;
  }

  get key(): string {
    return this.#service.key;
  }

  /** The headers with which a request is let in. */
  get admitted(): string[] {
    return ['Host: a', `Authorization: Bearer ${this.key}`];
  }

  /** Gives its key, which may do everything. */
  createTenant(name: string): Promise<string> {
    return createTenant(this.#service, name);
  }

  connect(): Promise<RawConnection> {
    return RawConnection.open(this.url);
  }

  connectMany(count: number): Promise<RawConnection[]> {
    return Promise.all(Array.from({ length: count }, () => this.connect()));
  }

  /** The status with which an account is found, or not. */
  async find(accountId: string): Promise<number> {
    const headers = { authorization: `Bearer ${this.key}` };
    return (await fetch(`${this.url}/api/v2/accounts/${accountId}`, { headers })).status;
  }

  /** Nobody else notices an attack, and nothing is left of it. */
  async endures(trial: Trial, attack: () => Promise<unknown>): Promise<void> {
    const quiet = await this.#steady.during(() => pause(PHASE_MS));
    const descriptors = this.#descriptors();
    let peakMiB = 0;
    const watch = setInterval(() => {
      peakMiB = Math.max(peakMiB, this.#memoryMiB());
    }, 20);
    const beside = await this.#steady.during(attack).finally(() => clearInterval(watch));
    this.#note(trial, quiet.p99Ms, beside.p99Ms);
    trial.figures['most memory above quiet, MiB'] = Math.max(
      trial.figures['most memory above quiet, MiB'] ?? 0,
      peakMiB - this.#quietMiB,
    );
    expect([...quiet.problems, ...beside.problems]).toEqual([]);
    // Bodies are read at a limited speed, 32 KiB every 2 ms, and that a caller has gone is seen at the end of what it
    // sent: 100 bodies of 4 MiB take 25 s where none of them was refused.
    await expect
      .poll(() => this.#descriptors(), { timeout: 60_000 })
      .toBeLessThanOrEqual(descriptors + SPARE_DESCRIPTORS);
    expect(Math.max(peakMiB, this.#memoryMiB()) - this.#quietMiB).toBeLessThan(MAX_GROWTH_MIB);
    expect(this.#service.output.stderr).toBe('');
  }

  /** Ends in order, which shows that it has lived until now. */
  async end(): Promise<void> {
    await this.#steady.stop();
    const status = await this.#service.stop();
    const { stderr } = this.#service.output;
    await this.#service.stopAndRemove();
    expect([status, stderr]).toEqual([0, '']);
  }

  /** Medians, as one phase says little on a busy machine. */
  #note(trial: Trial, quietMs: number, besideMs: number): void {
    const times = this.#times.get(trial) ?? { quiet: [], beside: [] };
    this.#times.set(trial, times);
    times.quiet.push(quietMs);
    times.beside.push(besideMs);
    trial.figures['quiet p99, µs'] = 1_000 * median(times.quiet);
    trial.figures['p99 beside, µs'] = 1_000 * median(times.beside);
    const ratios = times.beside.map((ms, i) => ms / (times.quiet[i] ?? ms));
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
