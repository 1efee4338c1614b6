import { mkdir, readdir, readlink } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Settings, start } from '../support/service.js';
import { ImportCaller } from './import-caller.js';

const PLAN = `standard input: CSV, separated by commas. An empty cell clears the stored value (--empty keep keeps it).

COLUMN      FIELD           TYPE
account_id  account_id      id
Renewal     custom_Renewal  date  by its name

`;

/** Only the last row shows that 3/4/2015 is a day in April, after more than one piece of the input. */
const rows = Array.from({ length: 4_000 }, (_, at) => `piped-${at},3/4/2015\n`);
const FILE = `account_id,Renewal\n${rows.join('')}last,31/1/2015\n`;

describe('an import from a pipe', () => {
  let caller: ImportCaller;
  let tmp: Settings;
  beforeAll(async () => {
    caller = await ImportCaller.start([{ name: 'custom_Renewal', type: 'date' }]);
    tmp = { TMPDIR: caller.path('tmp') };
    await mkdir(caller.path('tmp'));
  });
  // Fails a test that leaves something.
  afterEach(async () => expect(await readdir(caller.path('tmp'))).toEqual([]));
  afterAll(() => caller.end());

  it.each([
    ['plain', FILE],
    ['compressed', gzipSync(FILE)],
  ])('reads all values before it sends the first, %s', async (_form, content) => {
    const { status, stdout, stderr } = await caller.importPipedBy(tmp, content);
    expect([status, stderr]).toEqual([
      0,
      `${PLAN}CONVERTED  VALUES  HOW             FOR EXAMPLE
Renewal    4,001   day/month/year  3/4/2015 → 2015-04-03, 31/1/2015 → 2015-01-31

`,
    ]);
    expect(stdout).toMatch(/^4,001 records: /);
    const [first] = await caller.stored({ id_prefix: 'piped-0' });
    expect(first?.fields).toEqual({ custom_Renewal: '2015-04-03' });
  });

  it('stops before anything is stored where values are unclear', async () => {
    const { status, stdout, stderr } = await caller.importPipedBy(
      tmp,
      'account_id,Renewal\nunclear,3/4/2015\n',
    );
    expect([status, stdout, stderr]).toEqual([
      2,
      '',
      `${PLAN}Column "Renewal" can be read in two ways: "3/4/2015" is "2015-03-04" (mdy) or "2015-04-03" (dmy). No other value of the column decides it. Add --dates mdy or --dates dmy\n`,
    ]);
    expect(await caller.stored({ id_prefix: 'unclear' })).toEqual([]);
  });

  it('names the directory for the copy if it cannot be written', async () => {
    const missing = caller.path('missing');
    const { status, stdout, stderr } = await caller.importPipedBy({ TMPDIR: missing }, FILE);
    expect([status, stdout, stderr.replace(/account-sync-[0-9a-f-]{36}'/, "COPY'")]).toEqual([
      2,
      '',
      `The data of the pipe cannot be kept in ${missing}: ENOENT: no such file or directory, open '${missing}/COPY'. Set TMPDIR to a directory with enough space, or import a file.\n`,
    ]);
  });

  it.skipIf(process.platform !== 'linux')('leaves nothing when it is killed while data arrive', async () => {
    const { child, finished } = start(['import', '-'], { ...caller.settings, ...tmp });
    child.stdin?.write(FILE);
    const openFiles = async () => {
      const directory = `/proc/${child.pid}/fd`;
      const links = (await readdir(directory)).map((fd) => readlink(`${directory}/${fd}`).catch(() => ''));
      return (await Promise.all(links)).filter((path) => path.startsWith(caller.path('tmp')));
    };
    await expect
      .poll(openFiles)
      .toEqual([expect.stringMatching(/\/account-sync-[0-9a-f-]{36} \(deleted\)$/)]);
    child.kill('SIGKILL');
    await finished;
  });
});
