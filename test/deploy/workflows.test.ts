import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { validate } from '@actions/languageservice';
import { describe, expect, it } from 'vitest';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { parse } from 'yaml';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FOLDER = '.github/workflows';
const read = (path: string) => readFileSync(`${ROOT}${path}`, 'utf8');
const names = readdirSync(`${ROOT}${FOLDER}`);

interface Job {
  readonly permissions?: Record<string, string>;
  readonly steps?: readonly { readonly uses?: string; readonly run?: string }[];
}
const jobsOf = (name: string): Record<string, Job> => parse(read(`${FOLDER}/${name}`)).jobs;

/** GitHub's own checks: keys, expressions, needs, and workflows that are called. */
async function problemsOf(name: string, text: string): Promise<string[]> {
  const getFileContent = async ({ path }: { path: string }) => ({ name: path, content: read(path) });
  // Results are cached by path.
  const document = TextDocument.create(`file:///${randomUUID()}/${FOLDER}/${name}`, 'yaml', 1, text);
  const problems = await validate(document, { fileProvider: { getFileContent } });
  return problems.map(({ range, message }) => `${range.start.line + 1}: ${message}`);
}

describe.each(names)('the workflow %s', (name) => {
  it('is valid', async () => {
    expect(await problemsOf(name, read(`${FOLDER}/${name}`))).toEqual([]);
  });

  it('uses actions of GitHub only, by their major version', () => {
    const used = Object.values(jobsOf(name)).flatMap(({ steps = [] }) =>
      steps.flatMap(({ uses = [] }) => uses),
    );
    expect(used.filter((action) => !/^actions\/[a-z-]+@v\d+$/.test(action))).toEqual([]);
  });
});

it.each([
  ['needs: version', 'needs: versions', "32: Job 'test' depends on unknown job 'versions'."],
  ['runs-on: ubuntu-24.04', 'run-on: ubuntu-24.04', "13: Unexpected value 'run-on'"],
  ['matrix.runner }}', 'matrix.os }}', 'Context access might be invalid: os'],
  ['workflows/test.yml', 'workflows/tests.yml', 'Unable to find reusable workflow'],
])('a workflow with a mistake is not valid: %s', async (right, wrong, problem) => {
  const broken = read(`${FOLDER}/release.yml`).replace(right, wrong);
  expect(await problemsOf('release.yml', broken)).toContainEqual(expect.stringContaining(problem));
});

describe('the release', () => {
  it('ends at once if the tag is not the version of both packages', () => {
    const script = jobsOf('release.yml').version?.steps?.find(({ run }) => run !== undefined)?.run ?? '';
    const run = (tag: string) => {
      const { status, stdout } = spawnSync('bash', ['-e', '-c', script], {
        cwd: ROOT,
        encoding: 'utf8',
        env: { ...process.env, GITHUB_REF_NAME: tag },
      });
      return { status, stdout };
    };
    const { version } = JSON.parse(read('package.json'));
    expect(run(`v${version}`)).toEqual({ status: 0, stdout: '' });
    expect(run('v0.0.1')).toEqual({
      status: 1,
      stdout: `::error file=package.json::The tag is v0.0.1, but package.json has the version ${version}.\n`,
    });
  });

  it('gives each job the permissions that it needs, and no other', () => {
    const permissions = Object.entries(jobsOf('release.yml')).map(([name, job]) => [name, job.permissions]);
    expect(Object.fromEntries(permissions)).toEqual({
      version: { contents: 'read' },
      test: { contents: 'read' },
      image: { contents: 'read', packages: 'write' },
      'image-index': { packages: 'write' },
      'github-release': { contents: 'write' },
    });
    expect(parse(read(`${FOLDER}/release.yml`)).permissions).toEqual({});
  });
});
