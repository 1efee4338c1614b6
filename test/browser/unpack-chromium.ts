import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { freshDirectory } from '../support/service.js';
import { debianChromium } from './debian-chromium.js';

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
      return packagedChromium();
    case 'linux arm64':
      return debianChromium();
    default:
      return { browser: { channel: 'chrome' }, env: {} };
  }
}

/** The Chromium that came with the packages, with the libraries and fonts it needs, so that any Linux on x64 will do. */
async function packagedChromium(): Promise<UnpackedBrowser> {
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
