import { parentPort } from 'node:worker_threads';

/**
 * Runs the commands that `command-thread.ts` sends, one after another, in a thread. Every command evaluates main.js
 * again, with a new query in its URL. The modules that main.js imports stay loaded, which saves most of the start time.
 */
const main = new URL('../../dist/main.js', import.meta.url);
/** A command that never ends is not waited for. */
const UNWIND_MS = 1_000;
let output = { stdout: '', stderr: '' };
let isFinished = false;
let runs = 0;
/** The previous command, which may still unwind after it called `process.exit`, and would set `exitCode`. */
let previous = Promise.resolve();

for (const name of /** @type {const} */ (['stdout', 'stderr'])) {
  process[name].write = (chunk, encoding, done) => {
    output[name] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8');
    const written = typeof encoding === 'function' ? encoding : done;
    if (written) process.nextTick(written);
    return true;
  };
}

function finish() {
  if (isFinished) return;
  isFinished = true;
  parentPort?.postMessage({ status: Number(process.exitCode ?? 0), ...output });
}

/** Ends the command without ending the thread. Output after this call is ignored. */
process.exit = (code) => {
  process.exitCode = code ?? process.exitCode;
  finish();
  throw new Error('process.exit()');
};

parentPort?.on('message', async ({ args, env }) => {
  await Promise.race([previous.catch(() => {}), new Promise((resolve) => setTimeout(resolve, UNWIND_MS))]);
  output = { stdout: '', stderr: '' };
  isFinished = false;
  // Undo what a command normally leaves to the end of its process.
  for (const stream of [process.stdout, process.stderr]) stream.removeAllListeners('error');
  for (const signal of ['SIGINT', 'SIGTERM']) process.removeAllListeners(signal);
  process.exitCode = undefined;
  process.argv = [process.execPath, main.pathname, ...args];
  // Changed in place, because native code would not see a new object.
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  runs += 1;
  previous = import(`${main.href}?run=${runs}`);
  await previous;
  finish();
});
