import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freshDirectory } from '../support/service.js';
import { debianChromium } from './debian-chromium.js';
import { unpackFonts } from './packaged-fonts.js';

/** How to start a browser, in a form that can be told to other processes. */
export interface BrowserLaunch {
  readonly browser: { readonly executablePath: string } | { readonly channel: string };
  readonly env: Record<string, string>;
}

/** To be removed in the end, where it names a directory. */
type UnpackedBrowser = BrowserLaunch & { readonly directory?: string };

/** Where it is neither named by `CHROMIUM` nor to be had as a package, Chrome has to be installed. */
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

/** The machine may have no fonts, and with the same ones everywhere a page looks the same everywhere. */
async function withFonts(unpack: (directory: string) => Promise<BrowserLaunch>): Promise<UnpackedBrowser> {
  const directory = await freshDirectory();
  const { browser, env } = await unpack(directory);
  return { browser, env: { ...env, ...(await unpackFonts(directory)) }, directory };
}

/**
 * The Chromium that came with the packages, with the libraries it needs, so that any Linux on x64 will do. The package
 * unpacks into the directory for temporary files, and its libraries only where it takes this for AWS Lambda: in a process of its own, whose
 * environment says both.
 */
async function packagedChromium(directory: string): Promise<BrowserLaunch> {
  const unpack = `import('@sparticuz/chromium').then(async ({ default: chromium }) => {
    process.stdout.write(await chromium.executablePath());
  })`;
  const { stdout: executablePath } = await promisify(execFile)(process.execPath, ['-e', unpack], {
    env: { ...process.env, TMPDIR: directory, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs20.x' },
  });
  const env = { LD_LIBRARY_PATH: join(directory, 'al2023', 'lib') };
  if (!existsSync(env.LD_LIBRARY_PATH)) throw new Error(`Chromium was not unpacked whole into ${directory}.`);
  return { browser: { executablePath }, env };
}
