import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { gate, type RequestHandler, ScriptedServer } from '../client/scripted-server.js';
import { freshDirectory, Service } from '../support/service.js';
import { AccountsFile } from './accounts-file.js';
import { forward, once } from './forward.js';
import { Screen } from './screen.js';

const BAR = /^ {1,2}\d+ % {2}/;
const BROKE = /^The connection for POST \S+ failed: .*\. Trying again\.$/;
const STOPPING = 'Stopping after the requests in progress. Press Ctrl-C again to stop immediately.';

const isBar = (line: string) => BAR.test(line);

// Needs `script` of util-linux, which provides a terminal.
describe.skipIf(!Screen.isPossible())('an import in a terminal', () => {
  let service: Service;
  let server: ScriptedServer;
  let pass: RequestHandler;
  let file: AccountsFile;
  let release: () => void;
  let files = 0;
  beforeAll(async () => {
    service = await Service.start({ ACCOUNT_SYNC_DATA_DIR: await freshDirectory() });
    pass = forward(service.url);
  });
  afterAll(() => service.stopAndRemove());
  beforeEach(async () => {
    files += 1;
    file = await AccountsFile.create(`file${files}`, 10_000);
    const { opened, open } = gate();
    release = open;
    // The requests for the schema, for the check of the first records and for a run, and six others, pass; later ones
    // wait.
    server = await ScriptedServer.start([...Array(9).fill(pass), once(opened, pass)]);
  });
  afterEach(async () => {
    release();
    await server.stop();
    await file.remove();
  });

  const open = (columns: number) => {
    const settings = { ACCOUNT_SYNC_URL: `http://127.0.0.1:${server.port}`, ACCOUNT_SYNC_KEY: service.key };
    return new Screen(['import', file.path], settings, columns);
  };
  const summary = (records: string, created: string, [rejected, unsent]: readonly [number, number]) => [
    expect.stringMatching(
      new RegExp(
        `^${records} records.*: ${created} created, 0 updated, 0 unchanged, ${rejected + unsent} rejected\\.$`,
      ),
    ),
    expect.stringMatching(/^Run \d+\. Show it again with: account-sync run show \d+$/),
    '',
    'REJECTED  REASON',
    `${String(rejected).padEnd(8)}  Account …, licenses has invalid integer value.`,
    `            line 101, file${files}-000099: "many"`,
    '            Accepted: a whole number: 12, -3, 1,000',
    '            Add --convert "licenses=many:…" with the value to send instead, or --ignore "licenses" to leave the column out',
    `${String(unsent).padEnd(8)}  The row has 4 cells, the header 3.`,
    '            line 501',
    '',
    `The rejected rows are in ${file.rejectsPath}. Correct them there and import that file.`,
  ];

  it('draws a progress bar in one line below its messages, and removes it at the end', async () => {
    const screen = open(100);
    const drawn = await screen.shows(/1,500 records.* left$/);
    expect(drawn).toEqual([
      ...file.plan,
      expect.stringMatching(
        /^ {1,2}\d+ % {2}█+░+ {2}1,500 records {2}[\d,]+\/s {2}15 rejected {2}\d+ s left$/,
      ),
    ]);
    expect(drawn.at(-1)?.match(/[█░]/g)).toHaveLength(24);

    const { port } = server;
    await server.stop();
    expect(await screen.shows(/waiting for the server, \d s {2}15 rejected$/)).toEqual([
      ...file.plan,
      expect.stringMatching(BROKE),
      expect.stringMatching(
        /^ {1,2}\d+ % {2}█+░+ {2}1,500 records {2}waiting for the server, \d s {2}15 rejected$/,
      ),
    ]);

    server = await ScriptedServer.start([pass], port);
    expect(await screen.finished).toBe(1);
    expect(screen.lines).toEqual([
      ...file.plan,
      expect.stringMatching(BROKE),
      expect.stringMatching(/^The server responds again, after \d+ s\.$/),
      ...summary('10,000', '9,900', [90, 10]),
    ]);
    // No colours and no other control sequences.
    expect(screen.raw.replaceAll('\r\u001b[K', '').replaceAll('\r\n', '')).not.toMatch(/\p{Cc}/u);
  });

  it('draws only what fits into one line of a narrow terminal', async () => {
    const screen = open(50);
    const wrong: string[][] = [];
    screen.onDrawn = (lines) => {
      const bars = lines.filter(isBar);
      const isRight = bars.length === 0 || (bars.length === 1 && isBar(lines.at(-1) as string));
      if (!isRight || bars.some((bar) => bar.length > 49)) wrong.push([...lines]);
    };
    await screen.shows(/ % .*1,500 records {2}[\d,]+\/s {2}15 rejected( {2}\d+ s left)?$/);
    const { port } = server;
    await server.stop();
    await screen.shows(/^ {1,2}\d+ % {2}1,500 records {2}waiting for the server, \d s$/);
    server = await ScriptedServer.start([pass], port);
    expect(await screen.finished).toBe(1);
    expect(wrong).toEqual([]);
    expect(screen.lines.slice(-13)).toEqual([
      expect.stringMatching(/^The server responds again, after \d+ s\.$/),
      ...summary('10,000', '9,900', [90, 10]),
    ]);
  });

  it('is stopped by Ctrl-C, which is not shown on the screen', async () => {
    const screen = open(100);
    await screen.shows(/1,500 records/);
    screen.press('\u0003');
    await screen.shows(/^Stopping/);
    expect(await screen.shows(BAR)).toEqual([...file.plan, STOPPING, expect.stringMatching(BAR)]);
    screen.press('\u0003');
    expect(await screen.finished).toBe(2);
    expect(screen.lines).toEqual([
      ...file.plan,
      STOPPING,
      ...summary('1,500', '1,485', [13, 2]),
      '',
      'Stopped on request.',
      'Done up to line 1,501. To continue, run the same command with --resume.',
    ]);
  });
});
