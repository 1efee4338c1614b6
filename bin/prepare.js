/**
 * Installs packages and builds if they are out of date, so that every command works in a fresh clone.
 *
 *   node bin/prepare.js            what `npm start` needs
 *   node bin/prepare.js --dev      what tests and benchmarks need, too: the `devDependencies`
 *   node bin/prepare.js --clean    builds everything again, so that a package contains no file of an earlier build
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hashSources } from './hash-sources.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const at = (...parts) => join(root, ...parts);
const outputs = [at('dist'), at('client', 'dist')];
const builtStamp = at('dist', '.built');

export async function prepare({ dev = false, clean = false } = {}) {
  if (clean) for (const output of outputs) rmSync(output, { recursive: true, force: true });
  const sources = hashSources(root);
  const isBuilt = existsSync(builtStamp) && readFileSync(builtStamp, 'utf8') === sources;
  const packages = missingPackages(root, dev);
  const ofConsole = missingPackages(at('console'), false);
  const tasks = [...(packages || ofConsole ? ['installing packages'] : []), ...(isBuilt ? [] : ['building'])];
  if (tasks.length === 0) return;
  // Standard output belongs to the command.
  process.stderr.write(`account-sync: ${tasks.join(' and ')} …\n`);
  // An interrupted build is repeated.
  if (!isBuilt) rmSync(builtStamp, { force: true });
  // The packages of the console are apart from the others, so that both are installed at the same time.
  const isInstalled = ofConsole && run('npm', ofConsole, at('console'));
  if (packages) await run('npm', packages);
  if (!isBuilt) await build(isInstalled);
  await isInstalled;
  if (!isBuilt) writeFileSync(builtStamp, sources);
}

/** The arguments for npm if packages of a folder are missing or have another version than in its lock file. */
function missingPackages(folder, dev) {
  const installed = join(folder, 'node_modules', '.package-lock.json');
  // npm writes this file last, so it is missing after an interrupted installation.
  if (!existsSync(installed)) return ['ci', dev ? '--include=dev' : '--omit=dev'];
  const have = JSON.parse(readFileSync(installed, 'utf8')).packages;
  const want = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')).packages;
  const withDev = dev || Object.values(have).some((one) => one.dev);
  const isInstalled = Object.entries(want).every(
    // Optional packages are for other platforms, or another package requires them anyway.
    ([path, { version, optional, dev: isDev }]) =>
      path === '' || optional || (isDev && !withDev) || have[path]?.version === version,
  );
  // Unlike `npm ci`, this keeps what is installed already.
  return isInstalled ? undefined : ['install', '--no-save', withDev ? '--include=dev' : '--omit=dev'];
}

/** The console is built as soon as its packages are installed. */
async function build(isInstalled) {
  const tsc = at('node_modules', 'typescript', 'bin', 'tsc');
  const vite = at('console', 'node_modules', 'vite', 'bin', 'vite.js');
  // The client comes first, because the others compile against its types.
  await run(process.execPath, [tsc, '-p', 'client']);
  await Promise.all([
    run(process.execPath, [tsc, '-p', '.']),
    Promise.resolve(isInstalled).then(() =>
      run(process.execPath, [vite, 'build', 'console', '--logLevel', 'warn']),
    ),
  ]);
}

const running = new Set();

/** Shows the output only if the program fails. Then it also ends those that run beside it. */
async function run(program, args, cwd = root) {
  const child = spawn(program, args, {
    cwd,
    // The console is always built for production, whatever NODE_ENV this process has.
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  });
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(chunk));
  running.add(child);
  const problem = await once(child, 'close').then(
    ([status, signal]) => (status === 0 ? undefined : `status ${status ?? signal}`),
    (error) => error.message,
  );
  running.delete(child);
  if (problem === undefined) return;
  for (const other of running) other.kill();
  process.stderr.write(Buffer.concat(output));
  process.stderr.write(`${[program, ...args].join(' ')} failed: ${problem}; its output is above.\n`);
  process.exit(1);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const options = process.argv.slice(2);
  await prepare({ dev: options.includes('--dev'), clean: options.includes('--clean') });
}
