import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { target } from './target.js';

export interface HttpResponse {
  status: number;
  headers: Headers;
  text: string;
}

export interface Message {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
}

export const asJson = { 'content-type': 'application/json' };

export const withKey = (key: string) => ({ authorization: `Bearer ${key}` });

export const freshId = (stem = 'account') => `${stem}-${randomUUID()}`;

export const freshDomain = (suffix = 'com') => `${freshId('d')}.${suffix}`;

export const freshInteger = () => Math.floor(Math.random() * 2 ** 52) + 1_000_000;

export async function send(
  path: string,
  { method = 'POST', headers = {}, body }: Message = {},
): Promise<HttpResponse> {
  // With bytes as body, fetch does not add its own Content-Type.
  const bytes = body === undefined ? null : Buffer.from(body);
  const response = await fetch(new URL(path, target.url), { method, headers, body: bytes });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** For requests that fetch cannot send: with a Host, in chunks, or with a response before the end of the body. */
export function sendWithNodeHttp(
  path: string,
  { method = 'POST', headers = {}, body = '' }: Message,
): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    const outgoing = request(new URL(path, target.url), { method, headers, agent: false }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () =>
        resolve({
          status: incoming.statusCode ?? 0,
          headers: new Headers(
            Object.entries(incoming.headers).map(([name, value]): [string, string] => [name, String(value)]),
          ),
          text: Buffer.concat(chunks).toString('utf8'),
        }),
      );
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

export const post = (path: string, body: string | Uint8Array, key = target.keys.plain) =>
  send(path, { headers: { ...asJson, ...withKey(key) }, body });
