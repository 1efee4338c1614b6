import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { childrenOf } from '../children-of.js';
import type { owner } from './binaries.js';

const START_TIMEOUT_MS = 30_000;

/** SIGINT stops it in order, SIGQUIT aborts it, SIGKILL ends all its processes as a crash of the machine does. */
export type StopSignal = 'SIGINT' | 'SIGQUIT' | 'SIGKILL';

/** One run of `postgres`, with all the processes that it makes. */
export class PostgresProcess {
  readonly #child: ChildProcess;
  #halted: number[] = [];

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  /** Resolves once it takes connections; what it logs goes to `log`. */
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
      // Processes of a server that was killed are still about to end.
      const isEarly = problem.includes('shared memory block') && Date.now() < deadline;
      if (!isEarly) throw new Error(`PostgreSQL does not start: ${problem}`);
    }
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  async stop(signal: StopSignal): Promise<void> {
    if (!this.isRunning) return;
    const exited = once(this.#child, 'exit');
    if (signal === 'SIGKILL') {
      this.halt();
      this.#signal(signal);
    } else {
      this.#child.kill(signal);
    }
    await exited;
  }

  /** Stops every process where it stands, as on a machine that hangs: connections stay, and nothing answers. */
  halt(): void {
    const { pid = 0 } = this.#child;
    // From the parent down, so that it makes no more of them; again, because one that ends may hide another.
    for (let found = [pid]; found.length > 0; ) {
      for (const each of found) process.kill(each, 'SIGSTOP');
      this.#halted.push(...found);
      found = childrenOf(pid).filter((child) => !this.#halted.includes(child));
    }
  }

  goOn(): void {
    this.#signal('SIGCONT');
    this.#halted = [];
  }

  #signal(name: NodeJS.Signals): void {
    for (const pid of this.#halted) process.kill(pid, name);
  }
}

/** What it logged before it ended, or `undefined` once it is ready. */
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
