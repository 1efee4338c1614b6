import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { freshDirectory } from '../service.js';

/** How to start a browser, in a form that can be told to other processes. */
export interface BrowserLaunch {
  readonly browser: { readonly executablePath: string } | { readonly channel: string };
  readonly env: Record<string, string>;
}

/**
 * The Chromium that came with the packages, with the libraries and fonts it needs, so that any Linux on x64 will do.
 * Elsewhere Chrome has to be installed, or `CHROMIUM` to name a browser.
 */
export async function unpackChromium(): Promise<BrowserLaunch & { readonly directory?: string }> {
  const installed = process.env.CHROMIUM;
  if (installed !== undefined) return { browser: { executablePath: installed }, env: {} };
  if (`${process.platform} ${process.arch}` !== 'linux x64')
    return { browser: { channel: 'chrome' }, env: {} };
  const directory = await freshDirectory();
  const before = { ...process.env };
  // The package unpacks into the directory for temporary files, and its libraries only where it takes this for a Lambda.
  Object.assign(process.env, { TMPDIR: directory, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs20.x' });
  const { default: chromium } = await import('@sparticuz/chromium');
  const executablePath = await chromium.executablePath();
  process.env = before;
  const env = {
    LD_LIBRARY_PATH: join(directory, 'al2023', 'lib'),
    FONTCONFIG_PATH: join(directory, 'fonts'),
  };
  if (!existsSync(env.LD_LIBRARY_PATH)) throw new Error(`Chromium was not unpacked whole into ${directory}.`);
  return { browser: { executablePath }, env, directory };
}
