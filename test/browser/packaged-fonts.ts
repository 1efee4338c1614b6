import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';

/**
 * Unpacks the fonts of the Chromium package, and returns the environment in which a browser uses only these fonts. The
 * package's own configuration names directories of AWS Lambda. Elsewhere it finds no fonts, and texts have no size.
 */
export async function unpackFonts(directory: string): Promise<{ readonly FONTCONFIG_FILE: string }> {
  const fonts = join(directory, 'fonts');
  await mkdir(fonts, { recursive: true });
  const packed = join(packageDirectory(), 'bin', 'fonts.tar.br');
  const archive = join(directory, 'fonts.tar');
  await writeFile(archive, await promisify(brotliDecompress)(await readFile(packed)));
  await promisify(execFile)('tar', ['-xf', archive, '-C', fonts]);
  const FONTCONFIG_FILE = join(directory, 'fonts.conf');
  await writeFile(FONTCONFIG_FILE, configuration(fonts, join(directory, 'fonts-cache')));
  return { FONTCONFIG_FILE };
}

function packageDirectory(): string {
  const main = createRequire(import.meta.url).resolve('@sparticuz/chromium');
  // …/build/cjs/index.cjs
  return dirname(dirname(dirname(main)));
}

function configuration(fonts: string, cache: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${fonts}</dir>
  <cachedir>${cache}</cachedir>
</fontconfig>
`;
}
