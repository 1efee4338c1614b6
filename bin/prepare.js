/** Installs packages and builds if they are out of date, so that every command works in a fresh clone. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const at = (...parts) => join(root, ...parts);
const builtStamp = at('dist', '.built');

export function prepare() {
  // A published package is already built and has no sources.
  if (!existsSync(at('src'))) return;
  if (!isInstalled()) run('Installing packages', 'npm', ['ci', '--include=dev']);
  const sources = hashOfSources();
  if (existsSync(builtStamp) && readFileSync(builtStamp, 'utf8') === sources) return;
  for (const project of projects()) run('Building', process.execPath, compilerOf(project));
  writeFileSync(builtStamp, sources);
}

/** The client comes first, because the others compile against its types. */
function projects() {
  return ['client', '.', 'console'].filter((project) => existsSync(at(project, 'src')));
}

function compilerOf(project) {
  return project === 'console'
    ? [at('node_modules', 'vite', 'bin', 'vite.js'), 'build', project, '--logLevel', 'warn']
    : [at('node_modules', 'typescript', 'bin', 'tsc'), '-p', project];
}

/** Compares the versions that npm installed with those in the lock file. */
function isInstalled() {
  const installed = at('node_modules', '.package-lock.json');
  if (!existsSync(installed)) return false;
  const have = JSON.parse(readFileSync(installed, 'utf8')).packages;
  const want = JSON.parse(readFileSync(at('package-lock.json'), 'utf8')).packages;
  return Object.entries(want).every(
    // Optional packages are for other platforms, or another package requires them anyway.
    ([path, { version, optional }]) => path === '' || optional || have[path]?.version === version,
  );
}

function hashOfSources() {
  const hash = createHash('sha256');
  const files = projects().flatMap((project) => [
    ...readdirSync(at(project, 'src'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
      .map((entry) => join(entry.parentPath, entry.name))
      .sort(),
    at(project, 'tsconfig.json'),
    ...['index.html', 'vite.config.ts'].map((file) => at(project, file)).filter(existsSync),
  ]);
  for (const file of [...files, at('package-lock.json')]) {
    // Relative paths keep the hash valid after the directory is moved.
    hash
      .update(`${relative(root, file)}\0`)
      .update(readFileSync(file))
      .update('\0');
  }
  return hash.digest('hex');
}

/** Writes progress to standard error, because standard output belongs to the command. */
function run(what, command, args) {
  process.stderr.write(`${what} …\n`);
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    // The console is always built for production, whatever NODE_ENV this process has.
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', process.stderr, process.stderr],
    shell: process.platform === 'win32',
  });
  if (status === 0) return;
  process.stderr.write(`${what} failed${error ? `: ${error.message}` : ''}; see above.\n`);
  process.exit(1);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) prepare();
