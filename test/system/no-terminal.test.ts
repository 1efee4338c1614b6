import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gate, ScriptedServer } from '../client/scripted-server.js';
import { freshDirectory, run, Service, start } from '../support/service.js';
import { AccountsFile } from './accounts-file.js';
import { forward, once } from './forward.js';
import { messagesIn } from './messages-in.js';
import { Screen } from './screen.js';

const HOW_FAR = /^\S+: 1,500 records \(\d+ %\), [\d,]+ a second, 15 rejected, \d+ s left$/;

/** The lines of a text without terminal control characters. */
function plainLines(text: string): string[] {
  const lines = text.split(/\r?\n/);
  expect(lines.join('')).not.toMatch(/\p{Cc}/u);
  return lines;
}

describe('an import without a capable terminal', () => {
  let service: Service;
  beforeAll(async () => {
    service = await Service.start({ ACCOUNT_SYNC_DATA_DIR: await freshDirectory() });
  });
  afterAll(() => service.stopAndRemove());

  /** A server that responds to six requests with records to store until it is released. */
  const holding = async (prefix: string) => {
    const file = await AccountsFile.create(prefix, 10_000);
    const { opened, open: release } = gate();
    const pass = forward(service.url);
    const server = await ScriptedServer.start([...Array(9).fill(pass), once(opened, pass)]);
    const settings = { ACCOUNT_SYNC_URL: `http://127.0.0.1:${server.port}`, ACCOUNT_SYNC_KEY: service.key };
    return { file, server, settings, release };
  };

  it('shows its progress in plain lines', { concurrent: true }, async () => {
    const { file, server, settings, release } = await holding('piped');
    const importing = start(['import', file.path], settings);
    await importing.says('1,500 records (');
    release();
    const { status, stdout, stderr } = await importing.finished;
    const lines = plainLines(stderr);
    expect([status, lines.slice(0, 8)]).toEqual([1, [...file.plan, expect.stringMatching(HOW_FAR)]]);
    expect(messagesIn(lines.slice(8).join('\n'))).toEqual(['']);
    expect(plainLines(stdout)[0]).toMatch(/^10,000 records in \d+ s \([\d,]+ a second\): /);
    await server.stop();
    await file.remove();
  });

  it.skipIf(!Screen.isPossible())('treats a dumb terminal as none', { concurrent: true }, async () => {
    const { file, server, settings, release } = await holding('dumb');
    const screen = new Screen(['import', file.path], { ...settings, TERM: 'dumb' }, 100);
    const lines = await screen.shows(HOW_FAR);
    expect(lines).toEqual([...file.plan, expect.stringMatching(HOW_FAR)]);
    release();
    expect(await screen.finished).toBe(1);
    plainLines(screen.raw);
    await server.stop();
    await file.remove();
  });

  it('prints nothing with --quiet unless a record is rejected', async () => {
    const file = await AccountsFile.create('quiet', 150);
    const settings = { ACCOUNT_SYNC_URL: service.url, ACCOUNT_SYNC_KEY: service.key };
    const args = ['import', file.path, '--quiet'];
    expect(await run([...args, '--limit', '90'], settings)).toEqual({ status: 0, stdout: '', stderr: '' });
    expect(await run([...args, '--resume'], settings)).toEqual({
      status: 1,
      stdout: expect.stringMatching(/^150 records: 149 created, 0 updated, 0 unchanged, 1 rejected\.\n/),
      stderr: '',
    });
    await file.remove();
  });
});
