import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { cp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { environment, freshDirectory } from '../support/service.js';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
export const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
/** Packing and installing write many files. */
export const LONG = 600_000;
const directories: string[] = [];

export function removeDirectories(): Promise<unknown> {
  return Promise.all(directories.map((one) => rm(one, { recursive: true, force: true })));
}

export async function directory(): Promise<string> {
  const path = await freshDirectory();
  directories.push(path);
  return path;
}

/** Runs a program, without settings that `npm test` passes on to its processes. */
export async function run(
  cwd: string,
  program: string,
  args: readonly string[],
  settings: Record<string, string> = {},
) {
  const env = Object.entries(environment(settings)).filter(
    ([name]) => !/^npm_(?!config_registry)/i.test(name),
  );
  return promisify(execFile)(program, args, { cwd, env: Object.fromEntries(env), maxBuffer: 2 ** 26 });
}

/** A copy of the files of the project as in a clone, with nothing installed. */
export async function clone(): Promise<string> {
  const copy = await directory();
  const { stdout } = await run(ROOT, 'git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard']);
  for (const file of stdout.split('\0').filter((name) => name !== '' && existsSync(join(ROOT, name)))) {
    await cp(join(ROOT, file), join(copy, file));
  }
  return copy;
}

/** Packs, and returns the path of the file. */
export async function pack(copy: string, ...options: string[]): Promise<string> {
  const to = await directory();
  const { stdout } = await promisify(execFile)('npm', ['config', 'get', 'cache']);
  await run(copy, 'npm', ['pack', '--pack-destination', to, ...options], { npm_config_cache: stdout.trim() });
  return join(to, (await readdir(to))[0] as string);
}

/** Installs a file in an empty directory, with an empty home and cache and without a network. */
export async function install(file: string): Promise<string> {
  const project = await directory();
  const output = await run(project, 'npm', ['install', '--offline', '--cache', await directory(), file], {
    HOME: await directory(),
  });
  expect(output.stderr).not.toContain('npm warn');
  return project;
}
