import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Finished } from './service.js';

/**
 * A thread that runs the program's commands, for tests in which starting a process is not the point: a start costs
 * 0.3 s, a command in a thread that has its modules loaded some milliseconds. Signals, a terminal and standard input need a process.
 */
export class CommandThread {
  #worker: Worker | undefined;
  /** The end of the last command: each has the thread's environment and output to itself. */
  #last: Promise<unknown> = Promise.resolve();

  run(args: readonly string[], env: NodeJS.ProcessEnv): Promise<Finished> {
    const finished = this.#last.then(() => this.#runNext(args, env));
    this.#last = finished.catch(() => {});
    return finished;
  }

  async #runNext(args: readonly string[], env: NodeJS.ProcessEnv): Promise<Finished> {
    // What a command writes is handed over; anything else would spoil the report of the tests.
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
