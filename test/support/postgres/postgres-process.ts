import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { childrenOf } from '../children-of.js';
import type { owner } from './binaries.js';

const START_TIMEOUT_MS = 30_000;

/** SIGINT is a fast shutdown, SIGQUIT an immediate one; SIGKILL ends all processes, like a crash of the machine. */
export type StopSignal = 'SIGINT' | 'SIGQUIT' | 'SIGKILL';

/** One run of `postgres`, with all its child processes. */
export class PostgresProcess {
  readonly #child: ChildProcess;
  #suspended: number[] = [];

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  /** Resolves when the server accepts connections. `log` receives its log output. */
  static async start(
    [program = '', ...args]: readonly string[],
    user: typeof owner,
    log: (text: string) => void,
  ): Promise<PostgresProcess> {
    const deadline = Date.now() + START_TIMEOUT_MS;
    for (;;) {
      const child = spawn(program, args, { ...user, cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] });
      child.stderr.on('data', log);
      const problem = await readiness(child);
      if (problem === undefined) return new PostgresProcess(child);
      // The processes of a killed server may still be ending; then try again.
      const isTemporary = problem.includes('shared memory block') && Date.now() < deadline;
      if (!isTemporary) throw new Error(`PostgreSQL does not start: ${problem}`);
    }
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  async stop(signal: StopSignal): Promise<void> {
    if (!this.isRunning) return;
    const exited = once(this.#child, 'exit');
    if (signal === 'SIGKILL') {
      this.suspend();
      this.#signal(signal);
    } else {
      this.#child.kill(signal);
    }
    await exited;
  }

  /** Suspends every process, like a machine that hangs: connections stay open, and nothing responds. */
  suspend(): void {
    const { pid = 0 } = this.#child;
    // The parent first, so that it starts no more children. Repeated, because an exiting child may hide another one.
    for (let found = [pid]; found.length > 0; ) {
      for (const each of found) process.kill(each, 'SIGSTOP');
      this.#suspended.push(...found);
      found = childrenOf(pid).filter((child) => !this.#suspended.includes(child));
    }
  }

  resume(): void {
    this.#signal('SIGCONT');
    this.#suspended = [];
  }

  #signal(name: NodeJS.Signals): void {
    for (const pid of this.#suspended) process.kill(pid, name);
  }
}

/** Resolves with `undefined` when the server is ready, or with its log if it ends before. */
function readiness(child: ChildProcess): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    let log = '';
    const watch = (chunk: Buffer) => {
      log += chunk;
      if (!/ready to accept (read-only )?connections/.test(log)) return;
      child.stderr?.off('data', watch);
      resolve(undefined);
    };
    child.stderr?.on('data', watch);
    child.on('error', reject);
    child.on('close', () => resolve(log));
  });
}
