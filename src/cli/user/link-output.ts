import { randomBytes } from 'node:crypto';
import { readConfig } from '../../config.js';
import { type LinkToken, linkUrl, newLinkToken } from '../../domain/one-time-link.js';
import { urlOf } from '../serve/first-start.js';
import { CommandFailed, isoTime, type OutputOptions, print, shortTime } from '../terminal/command-line.js';

interface NewLink extends Pick<LinkToken, 'hash'> {
  readonly url: string;
}

/** A link with the address that people use. Fails before anything is stored if the settings do not tell it. */
export function newLink(): NewLink {
  const { publicUrl, host, port, tls } = readConfig(process.env);
  if (publicUrl === undefined && port === 0) {
    throw new CommandFailed(
      'The link needs the address of the server, but ACCOUNT_SYNC_PORT is 0. Set ACCOUNT_SYNC_PUBLIC_URL to the address that browsers use.',
    );
  }
  const { token, hash } = newLinkToken(randomBytes);
  return { hash, url: linkUrl(publicUrl ?? urlOf({ address: host, port }, tls), token) };
}

interface ShownLink {
  readonly url: string;
  readonly expiresAt: number;
  /** What the link is for: names and values. */
  readonly rows: readonly (readonly [string, string])[];
  readonly note?: string;
  readonly data: object;
}

export function showLinkOnce(options: OutputOptions, { url, expiresAt, rows, note, data }: ShownLink): void {
  const all = [['Link', url], ...rows, ['Expires', shortTime(expiresAt)]];
  const lines = [
    ...all.map(([name = '', value = '']) => `${name.padEnd(9)}${value}`),
    '',
    'Send it to the person: it is shown only once, and works once.',
  ];
  if (note !== undefined) lines.push(note);
  if (readConfig(process.env).publicUrl === undefined)
    lines.push('If browsers reach the server at another address, set ACCOUNT_SYNC_PUBLIC_URL.');
  print(options, { ...data, expires_at: isoTime(expiresAt), url }, lines.join('\n'));
}
