import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** A hash of everything that the build reads. It is the same after the directory is moved. */
export function hashSources(root) {
  const at = (...parts) => join(root, ...parts);
  const files = ['client', '.', 'console'].flatMap((project) => [
    ...readdirSync(at(project, 'src'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
      .map((entry) => join(entry.parentPath, entry.name))
      .sort(),
    at(project, 'tsconfig.json'),
    ...['index.html', 'vite.config.ts'].map((file) => at(project, file)).filter(existsSync),
  ]);
  const hash = createHash('sha256');
  for (const file of [...files, at('package-lock.json'), at('console', 'package-lock.json')]) {
    hash
      .update(`${relative(root, file)}\0`)
      .update(readFileSync(file))
      .update('\0');
  }
  return hash.digest('hex');
}
