import { appendFileSync } from 'node:fs';

/** The file for what is found; the end of the whole run looks into it. */
export const LEAKS_FILE = 'TEST_LEAKS_FILE';

/** Keys of the service's form, live or not; those that tests bring; tokens of sessions. */
const SECRETS = [
  /acs_[0-9A-Za-z]{8}_[0-9A-Za-z]{32}/,
  /\bkey-(?:of|with|that)-[\w-]{24,}/,
  /account_sync_session=[\w-]{43}/,
];

/** Every secret in a text, those that are known included. */
export function leaksIn(text: string, known: Iterable<string> = []): string[] {
  const forms = SECRETS.flatMap((form) => form.exec(text)?.[0] ?? []);
  return [...forms, ...[...known].filter((secret) => text.includes(secret))];
}

/** For everything that the service says while it is tested: nobody has to think of it in a test. */
export function noteLeaks(where: string, text: string, known?: Iterable<string>): void {
  const found = leaksIn(text, known);
  if (found.length === 0) return;
  const [first = ''] = found;
  const at = text.indexOf(first);
  const around = text.slice(Math.max(0, at - 200), at + 200);
  const finding = `${where}: ${first} in ${JSON.stringify(around)}\n`;
  const file = process.env[LEAKS_FILE];
  if (file === undefined) throw new Error(`A secret was told by ${finding}`);
  appendFileSync(file, finding);
}
