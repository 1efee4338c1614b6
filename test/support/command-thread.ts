import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** The end of a command: its exit status and its output. */
export interface Finished {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs commands of the program in a thread, for tests that do not need a process. Starting a process costs 0.3 s; a
 * command in a thread with loaded modules costs some milliseconds. Signals, a terminal and standard input need a
 * process.
 */
export class CommandThread {
  #worker: Worker | undefined;
  /** Settles with the last command. Commands run one at a time, because they share the environment and the output. */
  #last: Promise<unknown> = Promise.resolve();

  run(args: readonly string[], env: NodeJS.ProcessEnv): Promise<Finished> {
    const finished = this.#last.then(() => this.#runNext(args, env));
    this.#last = finished.catch(() => {});
    return finished;
  }

  async #runNext(args: readonly string[], env: NodeJS.ProcessEnv): Promise<Finished> {
    // The worker returns the output of a command. Other output is discarded: it would break the test report.
    this.#worker ??= new Worker(new URL('command-worker.js', import.meta.url), {
      stdout: true,
      stderr: true,
    });
    const worker = this.#worker;
    const message = once(worker, 'message');
    worker.ref();
    worker.postMessage({ args, env });
    const [finished] = await message;
    worker.unref();
    return finished;
  }
}
