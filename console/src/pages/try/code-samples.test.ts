import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { clientCodeOf, curlOf } from './code-samples';
import { type Input, readInput } from './read-input';

const input = readInput(`{"account_id":"acme","name":"Acme's $HOME \\"Inc.\\" \`id\`"}`) as Input;

describe('code samples', () => {
  it('quote the body for a shell, which passes every character on', () => {
    const line = curlOf(input, true, 'http://127.0.0.1:8080').replace(/^curl/, 'printf "%s\\n"');
    const words = execFileSync('sh', ['-c', line], { env: { ...process.env, ACCOUNT_SYNC_KEY: 'acs_1' } });
    expect(String(words).trimEnd().split('\n')).toEqual([
      '-sS',
      '-X',
      'POST',
      'http://127.0.0.1:8080/api/v2/accounts/import?dry_run=true',
      '-H',
      'Authorization: Bearer acs_1',
      '-H',
      'Content-Type: application/json',
      '--data-binary',
      input.body,
    ]);
  });

  it('use the client package', () => {
    expect(clientCodeOf(input, false, 'http://127.0.0.1:8080')).toContain('client.import(records);');
    expect(clientCodeOf(input, true, 'http://127.0.0.1:8080')).toContain(
      'client.import(records, { dryRun: true });',
    );
  });
});
