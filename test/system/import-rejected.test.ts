import { AccountSync, UnauthenticatedError } from '@account-sync/client';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { gate, json, type RequestHandler, ScriptedServer } from '../client/scripted-server.js';
import { freshDirectory, run, runJson, Service, start } from '../support/service.js';
import { AccountsFile } from './accounts-file.js';
import { forward, once } from './forward.js';
import { importThrough } from './import-through.js';
import { messagesIn } from './messages-in.js';

const GET = 'GET URL/api/v2/attributes';
const OPEN = 'POST URL/api/v2/runs';
const POST = 'POST URL/api/v2/accounts/import';
const ELSEWHERE = 'https://elsewhere.example/';
const WAIT = { timeout: 30_000, interval: 5 };

const html: RequestHandler = (_request, response) => response.end('<html>');

describe('an import', () => {
  let service: Service;
  let pass: RequestHandler;
  let file: AccountsFile;
  beforeAll(async () => {
    service = await Service.start({ ACCOUNT_SYNC_DATA_DIR: await freshDirectory() });
    pass = forward(service.url);
    file = await AccountsFile.create('account', 5_000);
  });
  afterAll(async () => {
    await service.stopAndRemove();
    await file.remove();
  });

  it.each<[string, RequestHandler, (where: string) => string]>([
    [
      'is something else',
      html,
      // The client does not include the host in this message of an import.
      (where) =>
        `${where.replace('POST URL/api/v2/accounts', 'POST /api/v2/accounts')} returned a body that is not JSON. Check that url is the address of account-sync.`,
    ],
    [
      'is elsewhere',
      json(301, '', { location: ELSEWHERE }),
      (where) => `${where} redirects to ${ELSEWHERE}. Set url to the address of that server.`,
    ],
    [
      'does not know the key',
      json(401, ''),
      (where) =>
        `${where} returned 401: The response gives no reason. Check the key, and that it belongs to this host. (request r1)`,
    ],
    [
      'is too old',
      json(404, ''),
      (where) =>
        `${where} returned 404: The response gives no reason. ` +
        'Check the url, and that the server is recent enough to have this operation. (request r1)',
    ],
  ])(
    'does not wait for a server that %s, neither at the start nor later',
    async (_what, answer, sentence) => {
      expect(await importThrough([answer], file.path, service.key)).toEqual({
        status: 2,
        stdout: '',
        said: [sentence(GET), ''],
      });
      // The check of the first records.
      expect(await importThrough([pass, answer], file.path, service.key)).toEqual({
        status: 2,
        stdout: '',
        said: [...file.plan, sentence(POST), ''],
      });
      for (const [answers, where] of [
        [[pass, pass, answer], OPEN],
        [[pass, pass, pass, answer], POST],
      ] as const) {
        const { status, stdout, said } = await importThrough(answers, file.path, service.key);
        expect([status, stdout]).toEqual([2, '0 records: 0 created, 0 updated, 0 unchanged, 0 rejected.\n']);
        expect(said.slice(-4)).toEqual(['', sentence(where), 'No record was processed.', '']);
      }
    },
  );

  it('ends when its key is revoked, and can be repeated with another', async () => {
    const create = ['key', 'create', 'default', '--scope', 'sync', 'read'];
    const revoked = await runJson(service.settings, ...create);
    const { opened, open } = gate();
    // The requests for the schema, for the check of the first records and for a run, and six others, pass.
    const server = await ScriptedServer.start([...Array(9).fill(pass), once(opened, pass)]);
    const args = ['import', file.path, '--url', `http://127.0.0.1:${server.port}`];
    const importing = start(args, { ACCOUNT_SYNC_KEY: revoked.key });
    await vi.waitUntil(() => server.seen.length === 13, WAIT);
    await run(['key', 'revoke', 'default', revoked.id], service.settings);
    const client = new AccountSync({ url: service.url, key: revoked.key });
    await vi.waitFor(() => expect(client.attributes()).rejects.toThrow(UnauthenticatedError), WAIT);
    open();
    const { status, stderr } = await importing.finished;
    expect([status, messagesIn(stderr).slice(-4)]).toEqual([
      2,
      [
        '',
        expect.stringMatching(
          /^POST \S+ returned 401: .* Check the key, and that it belongs to this host\. \(request \S+\)$/,
        ),
        'Done up to line 1,501. To continue, run the same command with --resume.',
        '',
      ],
    ]);
    expect((await file.standing()).records).toBe(1_500);
    expect(await file.rejects()).toEqual(file.expectedRejects(1_500));
    const { stdout } = await run([...args, '--json'], { ACCOUNT_SYNC_KEY: service.key });
    await server.stop();
    expect(JSON.parse(stdout)).toMatchObject({
      records: 5_000,
      unchanged: 1_485,
      created: 3_465,
      refused: 50,
    });
  });
});
