import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Answer, gate, ScriptedServer } from '../client/scripted-server.js';
import { freshDirectory, Service } from '../support/service.js';
import { AccountsFile } from './accounts-file.js';
import { forward, once } from './forward.js';
import { Screen } from './screen.js';

const BAR = /^ {1,2}\d+ % {2}/;
const BROKE = /^The connection for POST \S+ broke: .*\. Trying again\.$/;
const STOPPING = 'Stopping behind the requests under way; Ctrl-C again to end at once.';

const isBar = (line: string) => BAR.test(line);

// It needs the script of util-linux, which gives a program a terminal.
describe.skipIf(!Screen.isPossible())('an import in a terminal', () => {
  let service: Service;
  let server: ScriptedServer;
  let pass: Answer;
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
    // The schema and six requests pass; those behind them wait.
    server = await ScriptedServer.start([...Array(7).fill(pass), once(opened, pass)]);
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
  const summary = (records: string, created: string, [refused, unsent]: readonly [number, number]) => [
    expect.stringMatching(
      new RegExp(
        `^${records} records.*: ${created} created, 0 updated, 0 unchanged, ${refused + unsent} refused\\.$`,
      ),
    ),
    '',
    'REFUSED  BECAUSE                                         FOR EXAMPLE',
    `${String(refused).padEnd(7)}  Account …, licenses has invalid integer value.  line 101, file${files}-000099`,
    `${String(unsent).padEnd(7)}  The row has 4 cells, the header 3.              line 501`,
    '',
    `The refused rows are in ${file.rejectsPath}: correct them there, and import that file.`,
  ];

  it('draws a bar that stays one line, under what it says, and leaves nothing of it behind', async () => {
    const screen = open(100);
    const drawn = await screen.shows(/1,500 records.* left$/);
    expect(drawn).toEqual([
      ...file.plan,
      expect.stringMatching(
        /^ {1,2}\d+ % {2}█+░+ {2}1,500 records {2}[\d,]+\/s {2}15 refused {2}\d+ s left$/,
      ),
    ]);
    expect(drawn.at(-1)?.match(/[█░]/g)).toHaveLength(24);

    const { port } = server;
    await server.stop();
    expect(await screen.shows(/waiting for the server, \d s {2}15 refused$/)).toEqual([
      ...file.plan,
      expect.stringMatching(BROKE),
      expect.stringMatching(
        /^ {1,2}\d+ % {2}█+░+ {2}1,500 records {2}waiting for the server, \d s {2}15 refused$/,
      ),
    ]);

    server = await ScriptedServer.start([pass], port);
    expect(await screen.finished).toBe(1);
    expect(screen.lines).toEqual([
      ...file.plan,
      expect.stringMatching(BROKE),
      expect.stringMatching(/^The server answers again, after \d+ s\.$/),
      ...summary('10,000', '9,900', [90, 10]),
    ]);
    // No colours, nor anything else that a terminal obeys.
    expect(screen.raw.replaceAll('\r\u001b[K', '').replaceAll('\r\n', '')).not.toMatch(/\p{Cc}/u);
  });

  it('draws what has room in one line of a narrow terminal', async () => {
    const screen = open(50);
    const wrong: string[][] = [];
    screen.onDrawn = (lines) => {
      const bars = lines.filter(isBar);
      const isRight = bars.length === 0 || (bars.length === 1 && isBar(lines.at(-1) as string));
      if (!isRight || bars.some((bar) => bar.length > 49)) wrong.push([...lines]);
    };
    await screen.shows(/ % .*1,500 records {2}[\d,]+\/s {2}15 refused( {2}\d+ s left)?$/);
    const { port } = server;
    await server.stop();
    await screen.shows(/^ {1,2}\d+ % {2}1,500 records {2}waiting for the server, \d s$/);
    server = await ScriptedServer.start([pass], port);
    expect(await screen.finished).toBe(1);
    expect(wrong).toEqual([]);
    expect(screen.lines.slice(-8)).toEqual([
      expect.stringMatching(/^The server answers again, after \d+ s\.$/),
      ...summary('10,000', '9,900', [90, 10]),
    ]);
  });

  it('is stopped by Ctrl-C, of which nothing remains on the screen', async () => {
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
      'Done up to line 1,501. Go on with the same command and --resume.',
    ]);
  });
});
