/**
 * npm run dev: compiles on change and restarts the service; serves the console with hot reload.
 *
 *   tsc --watch ──"Found 0 errors"──▶ restart `account-sync serve` (http://127.0.0.1:8080)
 *   vite ── /api and /docs are proxied to the service ── http://127.0.0.1:5173/console/
 *
 * Settings come from the environment, as with `npm start`; DEV_CONSOLE_PORT chooses another port for the console.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { prepare } from './prepare.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const at = (...parts) => join(root, ...parts);
const consolePort = process.env.DEV_CONSOLE_PORT ?? '5173';
const children = new Set();

prepare();
let server;
let restarting = Promise.resolve();
const compilers = ['client', '.'].map((project) =>
  run(
    [at('node_modules', 'typescript', 'bin', 'tsc'), '-p', project, '--watch', '--preserveWatchOutput'],
    'pipe',
  ),
);
for (const { stdout } of compilers) {
  createInterface({ input: stdout }).on('line', (line) => {
    if (line.trim() !== '') process.stderr.write(`${line}\n`);
    if (/Found 0 errors/.test(line)) restarting = restarting.then(restart);
  });
}
run(
  [at('node_modules', 'vite', 'bin', 'vite.js'), 'console', '--port', consolePort, '--strictPort'],
  'inherit',
);
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    for (const child of children) child.kill('SIGTERM');
  });
}

/** The old process first: it owns the port and the data directory. */
async function restart() {
  if (server !== undefined && server.exitCode === null && server.signalCode === null) {
    const exited = once(server, 'exit');
    server.kill('SIGTERM');
    await exited;
  }
  server = run([at('dist', 'main.js'), 'serve'], 'inherit', { ACCOUNT_SYNC_DRAIN_SECONDS: '0' });
}

function run(args, output, env = {}) {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...env, ...process.env },
    stdio: ['ignore', output, 'inherit'],
  });
  children.add(child);
  child.on('exit', () => children.delete(child));
  return child;
}
