import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { freshDirectory } from '../service.js';

/** How to start a browser, in a form that can be told to other processes. */
export interface BrowserLaunch {
  readonly executablePath: string;
  readonly env: Record<string, string>;
}

/**
 * The Chromium that came with the packages, with the libraries and fonts it needs, so that any Linux will do. Elsewhere
 * `CHROMIUM` names one that is installed.
 */
export async function unpackChromium(): Promise<BrowserLaunch & { readonly directory: string | undefined }> {
  const installed = process.env.CHROMIUM;
  if (installed !== undefined) return { executablePath: installed, env: {}, directory: undefined };
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
  return { executablePath, env, directory };
}
