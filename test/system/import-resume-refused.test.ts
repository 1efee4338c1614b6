import { appendFile, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freshDirectory, run, runJson, Service, type Settings, start } from '../support/service.js';
import { AccountsFile } from './accounts-file.js';

const FROM_THE_BEGINNING =
  'Import it from its beginning, without --resume: what is stored already counts as unchanged.\n';

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

  /** What it says last; and whatever it is, nothing is lost by it. */
  const refusal = async (args: readonly string[] = [], settings: Settings = {}) => {
    const command = ['import', file.path, '--resume', ...args];
    const { status, stdout, stderr } = await run(command, { ...caller, ...settings });
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^\S+: CSV, parted by commas\. /);
    return stderr.slice(stderr.indexOf('\n\n', stderr.indexOf('COLUMN')) + 2);
  };
  const expectNothingTouched = async () => {
    expect(await readFile(file.progressPath, 'utf8')).toBe(progress);
    expect(await file.rejects()).toEqual(file.expectedRejects(150));
  };

  it('refuses a file that has changed', async () => {
    await appendFile(file.path, 'another,Another,1\n');
    expect(await refusal()).toBe(
      `The file is not the one that was being imported: it has changed. ${FROM_THE_BEGINNING}`,
    );
    await expectNothingTouched();
  });

  it('refuses another server', async () => {
    const url = service.url.replace('127.0.0.1', 'localhost');
    expect(await refusal(['--url', url])).toBe(
      `It was being imported into another server. ${FROM_THE_BEGINNING}`,
    );
    await expectNothingTouched();
  });

  it('refuses another key, but not the same key from elsewhere', async () => {
    const { key } = await runJson(service.settings, 'key', 'create', 'default', '--scope', 'sync', 'read');
    expect(await refusal([], { ACCOUNT_SYNC_KEY: key })).toBe(
      `It was being imported with another key, which may be that of another tenant. ${FROM_THE_BEGINNING}`,
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

  it('refuses other options', async () => {
    for (const options of [
      ['--encoding', 'utf-8'],
      ['--map', 'name=custom_Name'],
      ['--empty', 'keep'],
      ['--rejects', 'elsewhere.csv'],
    ]) {
      expect(await refusal(options)).toBe(`It was being imported with other options. ${FROM_THE_BEGINNING}`);
    }
    await expectNothingTouched();
  });

  it('refuses a note that is damaged', async () => {
    for (const damaged of [progress.slice(0, -9), '{}', 'null']) {
      await writeFile(file.progressPath, damaged);
      expect(await refusal()).toBe(
        `${file.progressPath} is damaged. Remove it, and import the file from its beginning.\n`,
      );
    }
  });

  it('refuses to go on behind refused rows that are not there any more', async () => {
    const said =
      `Going on behind 150 records, at line 151.\n\n${file.rejectsPath} is not what it was when the import ` +
      'was broken off. Import from the beginning, without --resume; that writes it anew.\n';
    await truncate(file.rejectsPath, 20);
    expect(await refusal()).toBe(said);
    await rm(file.rejectsPath);
    expect(await refusal()).toBe(said);
    expect(await readFile(file.progressPath, 'utf8')).toBe(progress);
  });

  it('cuts off refused rows that were not noted, even where nothing else is refused', async () => {
    await appendFile(file.rejectsPath, '190,not noted');
    await run(['import', file.path, '--resume', '--limit', '40'], caller);
    expect(await file.rejects()).toEqual(file.expectedRejects(190));
  });

  it('is refused for what cannot be resumed', async () => {
    expect(await refusal(['--dry-run'])).toBe(
      'A dry run cannot be resumed. Run it from its beginning, without --resume.\n',
    );
    await expectNothingTouched();
    const piped = start(['import', '-', '--resume'], caller);
    piped.child.stdin?.end(await readFile(file.path));
    const { status, stdout, stderr } = await piped.finished;
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toContain(
      '\n\nWhat comes from a pipe cannot be resumed. Run it from its beginning, without --resume.\n',
    );
  });

  it('begins at the beginning where nothing was broken off, and an import without it always does', async () => {
    for (const args of [[], ['--resume']]) {
      const { status, stdout, stderr } = await run(['import', file.path, ...args], caller);
      expect([status, stdout]).toEqual([1, expect.stringMatching(/^300 records: .* 3 refused\.\n/)]);
      const said = 'No earlier import of this file was broken off: it begins at the beginning.\n\n';
      expect(stderr.endsWith(said)).toBe(args.length > 0);
      expect(await file.rejects()).toEqual(file.expectedRejects());
    }
  });
});
