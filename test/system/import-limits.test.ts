import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  cut,
  gate,
  importResponse,
  json,
  type RequestHandler,
  recordsOf,
  ScriptedServer,
} from '../client/scripted-server.js';
import { freshDirectory, run, Service, type Settings, start } from '../support/service.js';
import { AccountsFile } from './accounts-file.js';
import { forward } from './forward.js';
import { importThrough } from './import-through.js';
import { messagesIn } from './messages-in.js';

const POST = 'POST URL/api/v2/accounts/import';

const slowDown = (status: number, seconds: number) =>
  json(status, { success: false, errors: ['Slow down.'] }, { 'retry-after': String(seconds) });
const lines =
  (body: string, isWhole: boolean): RequestHandler =>
  async (request, response) => {
    await text(request);
    response.writeHead(200, { 'content-type': 'application/x-ndjson' });
    response.write(body, () => (isWhole ? response.end() : response.destroy()));
  };
const half = lines('{"index":0,"account_id":"a","sta', false);
const failing = lines(importResponse([], { is_complete: false, problem: 'Something failed.' }), true);

describe('an import waits for a server that', () => {
  let service: Service;
  let file: AccountsFile;
  let files = 0;
  beforeAll(async () => {
    service = await Service.start({ ACCOUNT_SYNC_DATA_DIR: await freshDirectory() });
  });
  afterAll(() => service.stopAndRemove());
  beforeEach(async () => {
    files += 1;
    file = await AccountsFile.create(`file${files}`, 90);
  });
  afterEach(() => file.remove());

  it.each<[string, RequestHandler, string]>([
    ['limits requests', slowDown(429, 0), `${POST} returned 429: Slow down. (request r1)`],
    ['is overloaded', slowDown(503, 1), `${POST} returned 503: Slow down. (request r1)`],
    [
      'is away behind a proxy',
      json(502, ''),
      `${POST} returned 502: The response gives no reason. (request r1)`,
    ],
    ['cuts the connection', cut, `The connection for ${POST} failed: `],
    ['cuts its answer', half, `The connection for ${POST} failed: aborted.`],
    ['fails behind its head', failing, 'The server did not process all records: Something failed.'],
  ])('%s, reports it once, and continues', async (_what, answer, reason) => {
    const pass = forward(service.url);
    // The first requests are for the schema, for the check of the first records, and for a run.
    for (const [before, counts] of [
      [1, '90 created, 0 updated, 0 unchanged'],
      [3, '0 created, 0 updated, 90 unchanged'],
    ] as const) {
      const answers = [...Array(before).fill(pass), answer, answer, pass];
      const { status, stdout, said } = await importThrough(answers, file.path, service.key);
      expect([status, said.slice(-4)]).toEqual([
        0,
        [
          '',
          expect.stringMatching(/ Trying again\.$/),
          expect.stringMatching(/^The server responds again, after \d s\.$/),
          '',
        ],
      ]);
      expect(said.at(-3)).toContain(reason);
      expect(stdout).toMatch(new RegExp(`^90 records.*: ${counts}, 0 rejected\\.\n$`));
    }
    expect(await file.exported({ ACCOUNT_SYNC_URL: service.url, ACCOUNT_SYNC_KEY: service.key })).toEqual(
      file.expectedExport(),
    );
  });
});

it('an import does not mix up the responses of failed and other requests', async () => {
  const service = await Service.start({ ACCOUNT_SYNC_DATA_DIR: await freshDirectory() });
  const file = await AccountsFile.create('account', 750);
  const { opened, open } = gate();
  const pass = forward(service.url);
  // Of three requests, two run concurrently. The first waits until the second has failed, which then fails again.
  const waits = ['2', '0'];
  const answer: RequestHandler = async (request, response) => {
    if (request.url?.includes('/runs')) return pass(request, response);
    const records = await recordsOf(request);
    const first = records[0]?.account_id;
    if (first === 'account-000000') await opened;
    const wait = first === 'account-000250' ? waits.shift() : undefined;
    if (wait !== undefined) response.writeHead(503, { 'retry-after': wait }).end();
    else response.writeHead(200).end(importResponse(records));
  };
  const server = await ScriptedServer.start([pass, answer]);
  const url = `http://127.0.0.1:${server.port}`;
  const args = ['import', file.path, '--max-rejected', '100', '--concurrency', '2', '--url', url];
  const importing = start(args, { ACCOUNT_SYNC_KEY: service.key });
  await importing.says(' Trying again.');
  open();
  const { status, stderr } = await importing.finished;
  expect([status, messagesIn(stderr).slice(file.plan.length)]).toEqual([
    1,
    [
      expect.stringMatching(/^POST \S+ returned 503: The response gives no reason\. Trying again\.$/),
      expect.stringMatching(/^The server responds again, after [2-9] s\.$/),
      '',
    ],
  ]);
  expect(server.seen.filter((seen) => seen.endsWith('/import'))).toHaveLength(5);
  await server.stop();
  await file.remove();
  await service.stopAndRemove();
});

describe('an import into a server with a rate limit', () => {
  let service: Service;
  let caller: Settings;
  let file: AccountsFile;
  beforeAll(async () => {
    file = await AccountsFile.create('limited', 10_000);
    const settings = { ACCOUNT_SYNC_DATA_DIR: await freshDirectory(), ACCOUNT_SYNC_RATE_LIMIT: '5' };
    service = await Service.start(settings);
    caller = { ACCOUNT_SYNC_URL: service.url, ACCOUNT_SYNC_KEY: service.key };
  });
  afterAll(async () => {
    await service.stopAndRemove();
    await file.remove();
  });

  it('waits for the next minute, unless it is stopped or --give-up-after is shorter', async () => {
    const waiting = start(['import', file.path, '--concurrency', '1'], caller);
    await waiting.says(' Trying again.');
    waiting.child.kill('SIGINT');
    await waiting.says('Stopping');
    waiting.child.kill('SIGINT');
    const { status, stderr } = await waiting.finished;
    expect([status, messagesIn(stderr).slice(-6)]).toEqual([
      2,
      [
        expect.stringMatching(
          /^POST \S+ returned 429: Too many requests\. Send this one again in \d+ seconds\. \(request \S+\) Trying again\.$/,
        ),
        'Stopping after the requests in progress. Press Ctrl-C again to stop immediately.',
        '',
        'Stopped on request.',
        // A minute can have ended meanwhile.
        expect.stringMatching(
          /^Done up to line (?:[12],)?\d{3}\. To continue, run the same command with --resume\.$/,
        ),
        '',
      ],
    ]);

    const impatient = await run(['import', file.path, '--resume', '--give-up-after', '0s'], caller);
    expect([impatient.status, impatient.stderr]).toEqual([
      2,
      expect.stringMatching(
        /^(GET|POST) \S+ returned 429: .* Gave up after one attempt: the server asks to wait \d+ s\. It is safe to try again later\.$/m,
      ),
    ]);
  });
});
