import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { BrowserLaunch } from './unpack-chromium.js';

const run = promisify(execFile);

const PACKAGE = 'chromium-headless-shell';
/** Goes with the packages, and need not be fetched again while they stay. */
const CACHE = resolve('node_modules/.cache');

/**
 * Debian's Chromium, and whatever it needs and misses here, as there is none for arm64 among the packages of Node.js.
 * Nothing is installed, and nobody has to be root.
 */
export async function debianChromium(): Promise<BrowserLaunch> {
  const unpacked = join(CACHE, PACKAGE);
  if (!existsSync(unpacked)) await unpackInto(unpacked);
  const folder = join(unpacked, 'usr', 'lib');
  const libraries = join(folder, 'aarch64-linux-gnu');
  const env = {
    // Sound has a folder of its own.
    LD_LIBRARY_PATH: [libraries, join(libraries, 'pulseaudio')].join(delimiter),
  };
  return { browser: { executablePath: join(folder, 'chromium', PACKAGE) }, env };
}

async function unpackInto(unpacked: string): Promise<void> {
  const fetched = `${unpacked}-${process.pid}`;
  try {
    await fetchPackages(fetched);
    await rename(join(fetched, 'root'), unpacked);
  } catch (error) {
    throw new Error('The browser tests need a Chromium: install one, and name it by CHROMIUM.', {
      cause: error,
    });
  } finally {
    await rm(fetched, { recursive: true, force: true });
  }
}

async function fetchPackages(directory: string): Promise<void> {
  const lists = join(directory, 'lists');
  const archives = join(directory, 'archives');
  for (const folder of [lists, archives]) await mkdir(join(folder, 'partial'), { recursive: true });
  const settings = {
    'Dir::State::lists': lists,
    'Dir::Cache': directory,
    'Dir::Cache::archives': archives,
    'Debug::NoLocking': 'true',
    'APT::Sandbox::User': '',
  };
  const ours = Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  const apt = (...words: string[]) => run('apt-get', ['-qq', ...ours, ...words]);
  await apt('update');
  await apt('install', '--download-only', '--reinstall', '--no-install-recommends', '--yes', PACKAGE);
  for (const file of await readdir(archives)) {
    if (file.endsWith('.deb')) await run('dpkg-deb', ['-x', join(archives, file), join(directory, 'root')]);
  }
}
