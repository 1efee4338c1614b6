import { appendFile, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freshDirectory, run, runJson, Service, type Settings, start } from '../support/service.js';
import { AccountsFile } from './accounts-file.js';

const FROM_THE_BEGINNING =
  'Import the file from the beginning, without --resume: records that are already stored count as unchanged.\n';

describe('--resume', () => {
  let service: Service;
  let caller: Settings;
  let file: AccountsFile;
  let progress: string;
  beforeAll(async () => {
    service = await Service.start({ ACCOUNT_SYNC_DATA_DIR: await freshDirectory() });
    caller = { ACCOUNT_SYNC_URL: service.url, ACCOUNT_SYNC_KEY: service.key };
  });
  afterAll(() => service.stopAndRemove());
  beforeEach(async () => {
    file = await AccountsFile.create('account', 300);
    await run(['import', file.path, '--limit', '150'], caller);
    progress = await readFile(file.progressPath, 'utf8');
  });
  afterEach(() => file.remove());

  /** The last message of an import that fails. */
  const failure = async (args: readonly string[] = [], settings: Settings = {}) => {
    const command = ['import', file.path, '--resume', ...args];
    const { status, stdout, stderr } = await run(command, { ...caller, ...settings });
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^\S+: CSV, separated by commas\. /);
    return stderr.slice(stderr.indexOf('\n\n', stderr.indexOf('COLUMN')) + 2);
  };
  const expectNothingTouched = async () => {
    expect(await readFile(file.progressPath, 'utf8')).toBe(progress);
    expect(await file.rejects()).toEqual(file.expectedRejects(150));
  };

  it('rejects a changed file', async () => {
    await appendFile(file.path, 'another,Another,1\n');
    expect(await failure()).toBe(
      `The file has changed since the earlier import started. ${FROM_THE_BEGINNING}`,
    );
    await expectNothingTouched();
  });

  it('rejects another server', async () => {
    const url = service.url.replace('127.0.0.1', 'localhost');
    expect(await failure(['--url', url])).toBe(
      `The earlier import used another server. ${FROM_THE_BEGINNING}`,
    );
    await expectNothingTouched();
  });

  it('rejects another key, but accepts the same key from another source', async () => {
    const { key } = await runJson(service.settings, 'key', 'create', 'default', '--scope', 'sync', 'read');
    expect(await failure([], { ACCOUNT_SYNC_KEY: key })).toBe(
      `The earlier import used another key, which may belong to another tenant. ${FROM_THE_BEGINNING}`,
    );
    await expectNothingTouched();
    const keyFile = `${file.path}.key`;
    await writeFile(keyFile, `${service.key}\n`);
    const args = [
      'import',
      file.path,
      '--resume',
      '--quiet',
      '--key-file',
      keyFile,
      '--url',
      `${service.url}/`,
    ];
    expect((await run(args, {})).status).toBe(1);
  });

  it('rejects other options', async () => {
    for (const options of [
      ['--encoding', 'utf-8'],
      ['--map', 'name=custom_Name'],
      ['--empty', 'keep'],
      ['--rejects', 'elsewhere.csv'],
      ['--convert', 'licenses=many:0'],
      ['--dates', 'mdy'],
      ['--from', 'none'],
    ]) {
      expect(await failure(options)).toBe(`The earlier import used other options. ${FROM_THE_BEGINNING}`);
    }
    await expectNothingTouched();
  });

  it('rejects a damaged progress file', async () => {
    for (const damaged of [progress.slice(0, -9), '{}', 'null']) {
      await writeFile(file.progressPath, damaged);
      expect(await failure()).toBe(
        `${file.progressPath} is damaged. Delete it, and import the file from the beginning.\n`,
      );
    }
  });

  it('rejects missing rejected rows', async () => {
    const said =
      `Continuing after 150 records, at line 151.\n\n${file.rejectsPath} has changed since the import ` +
      'was interrupted. Import from the beginning, without --resume, to write it again.\n';
    await truncate(file.rejectsPath, 20);
    expect(await failure()).toBe(said);
    await rm(file.rejectsPath);
    expect(await failure()).toBe(said);
    expect(await readFile(file.progressPath, 'utf8')).toBe(progress);
  });

  it('removes rejected rows after the checkpoint, even if no other row is rejected', async () => {
    await appendFile(file.rejectsPath, '190,not noted');
    await run(['import', file.path, '--resume', '--limit', '40'], caller);
    expect(await file.rejects()).toEqual(file.expectedRejects(190));
  });

  it('is rejected for dry runs and pipes', async () => {
    expect(await failure(['--dry-run'])).toBe(
      'A dry run cannot be resumed. Run it from the beginning, without --resume.\n',
    );
    await expectNothingTouched();
    const piped = start(['import', '-', '--resume'], caller);
    piped.child.stdin?.end(await readFile(file.path));
    const { status, stdout, stderr } = await piped.finished;
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toContain(
      '\n\nInput from a pipe cannot be resumed. Run it from the beginning, without --resume.\n',
    );
  });

  it('starts from the beginning without an interrupted import; an import without --resume always does', async () => {
    for (const args of [[], ['--resume']]) {
      const { status, stdout, stderr } = await run(['import', file.path, ...args], caller);
      expect([status, stdout]).toEqual([1, expect.stringMatching(/^300 records: .* 3 rejected\.\n/)]);
      const said = 'No interrupted import of this file was found. Starting from the beginning.\n\n';
      expect(stderr.endsWith(said)).toBe(args.length > 0);
      expect(await file.rejects()).toEqual(file.expectedRejects());
    }
  });
});
