import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { environment, freshDirectory, PROGRAM, Service } from '../support/service.js';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

/** The shell examples with their shown output; the first one clones and starts the service. */
const [first, ...pasted] = [
  ...readme.matchAll(/```sh\n(.*?)```(?:(?:(?!```).)*?:)?(?:\s*```(json|text)\n(.*?)```)?/gs),
].map(([, code = '', form, output]) => ({ code, form, output }));

describe('the README', () => {
  let service: Service;
  let directory: string;
  beforeAll(async () => {
    service = await Service.start({ ACCOUNT_SYNC_DATA_DIR: await freshDirectory() });
    directory = await freshDirectory();
    await paste(/^curl .*$/m.exec(service.output.stdout)?.[0] ?? '');
  });
  afterAll(async () => {
    await service.stopAndRemove();
    await rm(directory, { recursive: true });
  });

  /** Runs an example in a shell with the exported variables of the README. */
  const paste = (code: string) => {
    const exports = /^export .*$/m.exec(readme)?.[0] ?? '';
    const program = `npx() { shift; '${process.execPath}' '${PROGRAM}' "$@"; }\ncurl() { command curl -sS "$@"; }\n`;
    const script = `${program}${exports}\n${code}`
      .replaceAll('http://127.0.0.1:8080', service.url)
      .replaceAll('acs_…', service.key);
    return promisify(execFile)('sh', ['-c', script], {
      cwd: directory,
      env: environment(service.settings),
    }).catch((error: { code: number; stdout: string; stderr: string }) => error);
  };

  it('starts with a clone and a start', () => {
    expect(first?.code).toMatch(/^git clone <repository> account-sync && cd account-sync\nnpm start /);
  });

  it.each(pasted)('shows the output of: $code', async ({ code, form, output }) => {
    // If no output is shown, every command must succeed.
    const { stdout, ...end } = await paste(output === undefined ? `set -e\n${code}` : code);
    if (form === 'json') expect(JSON.parse(stdout)).toEqual(JSON.parse(output ?? ''));
    else if (form === 'text') expect(stdout).toBe(output);
    else expect(end).not.toHaveProperty('code');
  });

  it('describes the response to a valid record', async () => {
    const [rejected] = pasted;
    const accepted = rejected?.code.replace('"25 seats"', '25').replace('curl -X', 'curl -i -X') ?? '';
    const { stdout: response } = await paste(accepted);
    expect(readme).toContain(
      'With `"licenses":25` the response is `{"success":true}`, and the header `Account-Sync-Result` says `updated`',
    );
    expect([/^account-sync-result: .*$/m.exec(response)?.[0], response.split('\r\n\r\n')[1]]).toEqual([
      'account-sync-result: updated',
      '{"success":true}',
    ]);
  });
});
