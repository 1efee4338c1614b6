import { parentPort } from 'node:worker_threads';

/**
 * Runs the program's commands one after another in a thread, as `command-thread.ts` asks for them. Every command
 * evaluates main.js anew, under another address; what main.js imports stays loaded, which is most of a start.
 */
const main = new URL('../../dist/main.js', import.meta.url);
let output = { stdout: '', stderr: '' };
let isFinished = false;
let runs = 0;

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

/** Unwinds the command, whose further output does not count, and keeps the thread for the next. */
process.exit = (code) => {
  process.exitCode = code ?? process.exitCode;
  finish();
  throw new Error('process.exit()');
};

parentPort?.on('message', async ({ args, env }) => {
  output = { stdout: '', stderr: '' };
  isFinished = false;
  // What a process leaves to its end.
  for (const stream of [process.stdout, process.stderr]) stream.removeAllListeners('error');
  for (const signal of ['SIGINT', 'SIGTERM']) process.removeAllListeners(signal);
  process.exitCode = undefined;
  process.argv = [process.execPath, main.pathname, ...args];
  // In place: native code would not see another object.
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  runs += 1;
  await import(`${main.href}?run=${runs}`);
  finish();
});
