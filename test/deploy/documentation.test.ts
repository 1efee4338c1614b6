import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Every page of the documentation, by its path from the root. */
const pages = [
  ...['.', 'bench', 'client'].flatMap((folder) =>
    readdirSync(join(ROOT, folder)).map((name) => normalize(join(folder, name))),
  ),
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' }).map((name) => join('docs', name)),
].filter((path) => path.endsWith('.md'));

/** Examples may have anything that looks like a link or a heading. */
const proseOf = (path: string) =>
  readFileSync(join(ROOT, path), 'utf8').replaceAll(/^( *)```.*?^\1```$/gms, '');

/** The targets of links and pictures that are no URLs. A link may break over two lines. */
const linksOf = (path: string) =>
  [...proseOf(path).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target));

/** The anchors of its headings, as GitHub makes them. */
const anchorsOf = (path: string) =>
  [...proseOf(path).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );

function problemOf(page: string, link: string): string | undefined {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : normalize(join(dirname(page), path));
  if (!existsSync(join(ROOT, target))) return `${link}: there is no such file`;
  if (anchor !== undefined && !anchorsOf(target).includes(anchor)) return `${link}: no such heading`;
  return undefined;
}

it.each(pages)('the links of %s lead somewhere', (page) => {
  expect(linksOf(page).flatMap((link) => problemOf(page, link) ?? [])).toEqual([]);
});

/** Lines that can be broken: no tables, no examples, and more than one word. */
const longLinesOf = (path: string) =>
  proseOf(path)
    .split('\n')
    .filter((line) => [...line].length > 120 && line.trim().includes(' ') && !/^\s*\|/.test(line));

it.each(pages)('the lines of %s have at most 120 characters', (page) => {
  expect(longLinesOf(page)).toEqual([]);
});

it('links are found, and wrong ones are noticed', () => {
  expect(linksOf('README.md')).toContain('docs/interface.md');
  expect(
    ['docs/nowhere.md', 'docs/api.md#nowhere', 'docs/api.md#errors'].map((link) =>
      problemOf('README.md', link),
    ),
  ).toEqual(['docs/nowhere.md: there is no such file', 'docs/api.md#nowhere: no such heading', undefined]);
});
