import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freshDirectory } from '../support/service.js';
import { debianChromium } from './debian-chromium.js';
import type { BrowserLaunch } from './launch-browser.js';
import { unpackFonts } from './packaged-fonts.js';

/** The directory, if any, must be removed after the tests. */
type UnpackedBrowser = BrowserLaunch & { readonly directory?: string };

/** Uses the browser named by `CHROMIUM`, else a packaged Chromium, else an installed Chrome. */
export async function unpackChromium(): Promise<UnpackedBrowser> {
  const installed = process.env.CHROMIUM;
  if (installed !== undefined) return { browser: { executablePath: installed }, env: {} };
  switch (`${process.platform} ${process.arch}`) {
    case 'linux x64':
      return withFonts(packagedChromium);
    case 'linux arm64':
      return withFonts(debianChromium);
    default:
      return { browser: { channel: 'chrome' }, env: {} };
  }
}

/** The machine may have no fonts. The same fonts everywhere also make screenshots comparable. */
async function withFonts(unpack: (directory: string) => Promise<BrowserLaunch>): Promise<UnpackedBrowser> {
  const directory = await freshDirectory();
  const { browser, env } = await unpack(directory);
  return { browser, env: { ...env, ...(await unpackFonts(directory)) }, directory };
}

/**
 * The Chromium of an npm package, with the libraries it needs, so that it runs on any Linux on x64. The package unpacks
 * into the directory for temporary files, and unpacks its libraries only on AWS Lambda. A separate process provides
 * both in its environment.
 */
async function packagedChromium(directory: string): Promise<BrowserLaunch> {
  const unpack = `import('@sparticuz/chromium').then(async ({ default: chromium }) => {
    process.stdout.write(await chromium.executablePath());
  })`;
  const { stdout: executablePath } = await promisify(execFile)(process.execPath, ['-e', unpack], {
    env: { ...process.env, TMPDIR: directory, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs20.x' },
  });
  const env = { LD_LIBRARY_PATH: join(directory, 'al2023', 'lib') };
  if (!existsSync(env.LD_LIBRARY_PATH))
    throw new Error(`Chromium was not unpacked completely into ${directory}.`);
  return { browser: { executablePath }, env };
}
