/**
 * Runs the checks:
 *   npm test                   lint, types and the quick suites
 *   npm test -- <name> …       test files of any suite whose path contains one of the names
 *   npm run test:all           lint, types and every suite, fault trials in their short form
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { prepare } from '../bin/prepare.js';

/** The other suites have large bodies and tables, many processes, killed databases, long imports. */
const QUICK_SUITES = [
  'unit',
  'store',
  'http',
  'acceptance-*',
  'client',
  'cli',
  'process',
  'deploy',
  'browser',
];
const root = fileURLToPath(new URL('..', import.meta.url));

const args = process.argv.slice(2);
const isAll = args.includes('--all');
const names = args.filter((arg) => arg !== '--all');

await prepare({ dev: true });
if (names.length === 0) {
  run('biome', 'ci', '--error-on-warnings', '.');
  for (const project of ['test', 'bench', 'console']) run('tsc', '-p', project, '--noEmit');
}
const isQuick = !isAll && names.length === 0;
if (isQuick) process.env.TEST_RING = 'quick';
run('vitest', 'run', ...(isQuick ? QUICK_SUITES.map((suite) => `--project=${suite}`) : []), ...names);

function run(program, ...options) {
  const startedAt = performance.now();
  const { status } = spawnSync(`${root}node_modules/.bin/${program}`, options, {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  process.stderr.write(`${program} ${options.join(' ')}: ${seconds} s\n`);
}
