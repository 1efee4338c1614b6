import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const linesOf = (file: string) => readFileSync(join(ROOT, file), 'utf8').split('\n');

/** The paths that the Dockerfile copies from the project, and those that its last stage copies from earlier stages. */
const copies = linesOf('Dockerfile').filter((line) => line.startsWith('COPY '));
const fromProject = copies
  .filter((line) => !line.includes('--from='))
  .flatMap((line) => line.split(' ').slice(1, -1));
const fromStages = copies.flatMap((line) => /--from=\w+ (\S+)/.exec(line)?.[1] ?? []);

describe('the Dockerfile', () => {
  it('copies only existing paths, and .dockerignore allows exactly those', () => {
    expect(fromProject.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
    const letIn = linesOf('.dockerignore').flatMap((line) => (line.startsWith('!') ? line.slice(1) : []));
    expect(letIn.toSorted()).toEqual([...new Set(fromProject)].sort());
  });

  it('delivers only the installed package, so that a start builds and installs nothing', () => {
    expect(fromStages).toEqual(['/app/node_modules']);
  });
});
