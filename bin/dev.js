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

await prepare();
let server;
let restarting = Promise.resolve();
/** Projects that compile without errors; the client first, since the others use its types. */
const compiled = new Set();
const projects = ['client', '.'];
for (const project of projects) {
  const tsc = [
    at('node_modules', 'typescript', 'bin', 'tsc'),
    '-p',
    project,
    '--watch',
    '--preserveWatchOutput',
  ];
  createInterface({ input: run(tsc, 'pipe').stdout }).on('line', (line) => {
    if (line.trim() !== '') process.stderr.write(`${line}\n`);
    if (!/Found \d+ errors?/.test(line)) return;
    if (/Found 0 errors/.test(line)) compiled.add(project);
    else compiled.delete(project);
    if (compiled.size === projects.length) restarting = restarting.then(restart);
  });
}
run(
  [at('console', 'node_modules', 'vite', 'bin', 'vite.js'), 'console', '--port', consolePort, '--strictPort'],
  'inherit',
);
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    for (const child of children) stop(child);
  });
}

/** The old process first: it owns the port and the data directory. */
async function restart() {
  if (server !== undefined && server.exitCode === null && server.signalCode === null) {
    const exited = once(server, 'exit');
    stop(server);
    await exited;
  }
  server = run([at('dist', 'main.js'), 'serve'], 'inherit', { ACCOUNT_SYNC_DRAIN_SECONDS: '0' });
}

function run(args, output, env = {}) {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...env, ...process.env },
    stdio: ['ignore', output, 'inherit'],
    detached: true,
  });
  children.add(child);
  child.on('exit', () => children.delete(child));
  return child;
}

/** With its own children: `tsc` is a script that starts the compiler. */
function stop(child) {
  process.kill(-child.pid, 'SIGTERM');
}
