import { Agent, type IncomingMessage, request } from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Answer, Fetch } from '@account-sync/client';

const agent = new Agent({ keepAlive: true });
const secureAgent = new SecureAgent({ keepAlive: true });

/**
 * As much of `fetch` as the client needs: that of Node.js takes 40 MB of memory and a good deal of the processor, and
 * refuses some ports that a server may well listen on.
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
    const sending = send(url, options, (message) => resolve(answerOf(message))).on('error', reject);
    // What breaks while the body goes out comes as an error of the request, or is an answer already.
    if (body instanceof ReadableStream) pipeline(Readable.fromWeb(body as never), sending).catch(() => {});
    else sending.end(body);
  });
};

function answerOf(message: IncomingMessage): Answer {
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

/** No answer that is read as a whole comes near it. */
const MOST_BYTES = 64 * 1024 * 1024;

async function boundedText(message: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of message) {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes > MOST_BYTES) throw new Error(`the answer is longer than ${MOST_BYTES} bytes`);
  }
  return Buffer.concat(pieces).toString();
}
