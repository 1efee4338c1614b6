import type { Input } from './read-input';

/** The request as a curl command. */
export function curlOf(input: Input, isDryRun: boolean, origin: string): string {
  return [
    `curl -sS -X POST ${shellQuote(`${origin}/api/v2${pathOf(isDryRun)}`)}`,
    '-H "Authorization: Bearer $ACCOUNT_SYNC_KEY"',
    `-H ${shellQuote(`Content-Type: ${input.contentType}`)}`,
    `--data-binary ${shellQuote(input.body)}`,
  ].join(' \\\n  ');
}

/** The request as a program that uses the client package. */
export function clientCodeOf(input: Input, isDryRun: boolean, origin: string): string {
  return `import { AccountSync } from '@account-sync/client';

const client = new AccountSync({ url: ${JSON.stringify(origin)}, key: process.env.ACCOUNT_SYNC_KEY });

const records = ${JSON.stringify(input.values, null, 2)};

const run = client.import(records${isDryRun ? ', { dryRun: true }' : ''});
for await (const result of run) console.log(result);
console.log(run.summary);
`;
}

/** Quotes a text as one shell word. */
function shellQuote(text: string): string {
  return /^[\w:/.-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

export function pathOf(isDryRun: boolean): string {
  return `/accounts/import${isDryRun ? '?dry_run=true' : ''}`;
}
