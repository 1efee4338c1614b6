import { appendFileSync } from 'node:fs';

/** The environment variable with the file for findings. The end of the whole run reads the file. */
export const LEAKS_FILE = 'TEST_LEAKS_FILE';

/**
 * Keys in the form of the service, live or not; keys that tests set; session tokens; secrets of webhooks; tokens of
 * one-time links; passwords that tests set, and hashes of passwords.
 */
const SECRETS = [
  /acs_[0-9A-Za-z]{8}_[0-9A-Za-z]{32}/,
  /\bkey-(?:of|with|that)-[\w-]{24,}/,
  /account_sync_session=[\w-]{43}/,
  /whsec_[A-Za-z0-9+/]{43}=/,
  /lnk_[\w-]{43}/,
  /\bpassword-of-[\w-]{4,}/,
  /\$scrypt\$ln=/,
];

/** All secrets in a text: those with a secret's form, and the known ones. */
export function leaksIn(text: string, known: Iterable<string> = []): string[] {
  const forms = SECRETS.flatMap((form) => form.exec(text)?.[0] ?? []);
  return [...forms, ...[...known].filter((secret) => text.includes(secret))];
}

/** Records secrets in any output or response of the service. Helpers call it, so that no test has to. */
export function noteLeaks(where: string, text: string, known?: Iterable<string>): void {
  const found = leaksIn(text, known);
  if (found.length === 0) return;
  const [first = ''] = found;
  const at = text.indexOf(first);
  const around = text.slice(Math.max(0, at - 200), at + 200);
  const finding = `${where}: ${first} in ${JSON.stringify(around)}\n`;
  const file = process.env[LEAKS_FILE];
  if (file === undefined) throw new Error(`Secret in the output: ${finding}`);
  appendFileSync(file, finding);
}
