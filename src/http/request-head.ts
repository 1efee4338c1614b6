import type { IncomingMessage } from 'node:http';
import { type Refusal, refusals } from './refusal.js';

/** Node leaves out what comes behind 2,000 of them, whatever it is. */
const MAX_HEADERS = 200;
const ABSOLUTE_FORM = /^https?:\/\/([^/?#]*)/i;

/** What no request may be like, whatever it asks for. */
export function headRefusal({ httpVersion, headers, rawHeaders }: IncomingMessage): Refusal | undefined {
  if (rawHeaders.length > 2 * MAX_HEADERS) return refusals.tooManyHeaders(MAX_HEADERS);
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return refusals.badVersion();
  const { host, 'transfer-encoding': coding } = headers;
  if (host === undefined) {
    if (httpVersion === '1.1') return refusals.noHost();
  } else if (/\s/.test(host)) {
    // Where it was sent twice, both are here, with a comma and a space between them.
    return refusals.badHost();
  }
  if (coding === undefined) return undefined;
  // HTTP/1.0 has no chunks: others on the way would take them for something else.
  const isUnderstood = coding.toLowerCase() === 'chunked' && httpVersion === '1.1';
  return isUnderstood ? undefined : refusals.badTransferEncoding();
}

/** The path of a request that was sent as if to a proxy: then its URL says which host is meant (RFC 9112, 3.2.2). */
export function originForm({ url = '', headers }: IncomingMessage): string {
  if (url.startsWith('/')) return url;
  const [origin, host] = ABSOLUTE_FORM.exec(url) ?? [];
  if (origin === undefined) return url;
  headers.host = host;
  const path = url.slice(origin.length);
  return path.startsWith('/') ? path : `/${path}`;
}
