import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { environment, freshDirectory, PROGRAM, Service } from '../support/service.js';

describe('in a shell, import', () => {
  let service: Service;
  let directory: string;
  beforeAll(async () => {
    service = await Service.start({ ACCOUNT_SYNC_DATA_DIR: await freshDirectory() });
    directory = await mkdtemp(join(tmpdir(), 'account-sync-test-'));
    await writeFile(join(directory, 'key'), `${service.key}\n`);
    await writeFile(join(directory, 'a.csv'), 'account_id,licenses\nacme,1\nglobex,many\n');
    await writeFile(join(directory, 'map.json'), '{"licenses":"licenses"}');
  });
  afterAll(async () => {
    await service.stopAndRemove();
    await rm(directory, { recursive: true });
  });

  /** `$AS` is the program. */
  const shell = (script: string) =>
    promisify(execFile)('bash', ['-c', script], {
      cwd: directory,
      env: environment({ ACCOUNT_SYNC_URL: service.url, AS: `${process.execPath} ${PROGRAM}` }),
    }).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({
        code,
        stdout,
        stderr,
      }),
    );

  it('reads file and key from pipes', async () => {
    const { code, stdout } = await shell('$AS import <(cat a.csv) --key-file <(cat key)');
    expect([code, stdout.split('\n')[0]]).toEqual([
      1,
      '2 records: 1 created, 0 updated, 0 unchanged, 1 rejected.',
    ]);
    expect(stdout).toContain('The rejected rows were not saved. To save them, add --rejects <file>.');
    expect(await shell('$AS import <(cat a.csv) --key-file key --quiet --resume')).toEqual({
      code: 2,
      stdout: '',
      stderr: 'Input from a pipe cannot be resumed. Run it from the beginning, without --resume.\n',
    });
  });

  it.each([
    [
      'may not grow so far, as on a full disk',
      'ulimit -f 64; export TMPDIR=$PWD',
      /^The data of the pipe cannot be kept in (\S+): EFBIG: file too large, write\. /,
    ],
    [
      'cannot be created',
      'export TMPDIR=$PWD/missing',
      /^The data of the pipe cannot be kept in (\S+)\/missing: ENOENT: no such file or directory, open '\1\/missing\/account-sync-[-\da-f]+'\. /,
    ],
  ])('stores nothing, and says what to do, if the copy of a pipe %s', async (_what, limit, problem) => {
    const rows = 'echo account_id; for i in {1..20000}; do echo "not-kept-$i"; done';
    const { code, stdout, stderr } = await shell(`${limit}; (${rows}) | $AS import - --key-file key`);
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringMatching(problem)]);
    expect(stderr.replace(problem, '')).toBe(
      'Set TMPDIR to a directory with enough space, or import a file.\n',
    );
    const stored = '$AS export --key-file key --filter id_prefix=not-kept --format ndjson --quiet';
    expect(await shell(stored)).toEqual({ code: 0, stdout: '', stderr: '' });
    expect((await readdir(directory)).filter((name) => name.startsWith('account-sync-'))).toEqual([]);
  });

  it('ends normally if its output is closed', async () => {
    const { stdout, stderr } = await shell(
      'set -o pipefail; { $AS import a.csv --key-file key 2>&1; echo "status $?" >&3; } 3>&1 1> >(true) | cat',
    );
    expect([stdout, stderr]).toEqual(['status 1\n', '']);
  });

  it('resumes only with the same mapping, independent of the name of the mapping file', async () => {
    await shell('$AS import a.csv --key-file key --mapping map.json --limit 1');
    await writeFile(join(directory, 'map.json'), '{"licenses":null}');
    const { code, stderr } = await shell('$AS import a.csv --key-file key --mapping map.json --resume');
    expect(code).toBe(2);
    expect(stderr).toContain('The earlier import used other options.');
  });
});
