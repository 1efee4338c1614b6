import { Agent, type IncomingMessage, request } from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Answer, Fetch } from '@account-sync/client';

const agent = new Agent({ keepAlive: true });
const secureAgent = new SecureAgent({ keepAlive: true });

/**
 * The part of `fetch` that the client needs, on `node:http`. The `fetch` of Node.js takes 40 MB of memory and more CPU
 * time, and it blocks some ports that a server can listen on.
 */
export const nodeFetch: Fetch = (url, { method = 'GET', headers, body, signal }) => {
  const [send, connections] =
    url.protocol === 'https:' ? ([secureRequest, secureAgent] as const) : ([request, agent] as const);
  return new Promise((resolve, reject) => {
    const options = {
      method,
      headers: headers as Record<string, string>,
      agent: connections,
      ...(signal && { signal }),
    };
    const outgoing = send(url, options, (message) => resolve(toAnswer(message))).on('error', reject);
    // Errors while sending the body also arrive as an error of the request, or after its response.
    if (body instanceof ReadableStream) pipeline(Readable.fromWeb(body as never), outgoing).catch(() => {});
    else outgoing.end(body);
  });
};

function toAnswer(message: IncomingMessage): Answer {
  const { statusCode: status = 0, headers } = message;
  return {
    ok: status >= 200 && status < 300,
    status,
    type: 'default',
    headers: { get: (name) => String(headers[name.toLowerCase()] ?? '') || null },
    get body() {
      return Readable.toWeb(message) as ReadableStream<Uint8Array<ArrayBuffer>>;
    },
    text: () => boundedText(message),
  };
}

/** Far above any response that is read as a whole. */
const MAX_BYTES = 64 * 1024 * 1024;

async function boundedText(message: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of message) {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes > MAX_BYTES) throw new Error(`the response is longer than ${MAX_BYTES} bytes`);
  }
  return Buffer.concat(pieces).toString();
}
