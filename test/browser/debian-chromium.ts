import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { BrowserLaunch } from './launch-browser.js';

const run = promisify(execFile);

const PACKAGE = 'chromium-headless-shell';
/** Inside node_modules, so that it is removed together with the packages and otherwise downloaded once. */
const CACHE = resolve('node_modules/.cache');

/**
 * Debian's Chromium with the libraries that are missing here, because no npm package has Chromium for arm64. The
 * packages are unpacked and not installed, so no root permissions are needed.
 */
export async function debianChromium(): Promise<BrowserLaunch> {
  const unpacked = join(CACHE, PACKAGE);
  if (!existsSync(unpacked)) await unpackInto(unpacked);
  const folder = join(unpacked, 'usr', 'lib');
  const libraries = join(folder, 'aarch64-linux-gnu');
  const env = {
    // The sound library is in a separate folder.
    LD_LIBRARY_PATH: [libraries, join(libraries, 'pulseaudio')].join(delimiter),
  };
  return { browser: { executablePath: join(folder, 'chromium', PACKAGE) }, env };
}

async function unpackInto(unpacked: string): Promise<void> {
  const downloaded = `${unpacked}-${process.pid}`;
  try {
    await fetchPackages(downloaded);
    await rename(join(downloaded, 'root'), unpacked);
  } catch (error) {
    throw new Error('The browser tests need a Chromium. Install one and set CHROMIUM to its path.', {
      cause: error,
    });
  } finally {
    await rm(downloaded, { recursive: true, force: true });
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
  const options = Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  const apt = (...args: string[]) => run('apt-get', ['-qq', ...options, ...args]);
  await apt('update');
  await apt('install', '--download-only', '--reinstall', '--no-install-recommends', '--yes', PACKAGE);
  for (const file of await readdir(archives)) {
    if (file.endsWith('.deb')) await run('dpkg-deb', ['-x', join(archives, file), join(directory, 'root')]);
  }
}
