import type { IncomingHttpHeaders } from 'node:http';
import { type Agent, type RequestOptions, request } from 'node:https';
import { text } from 'node:stream/consumers';
import type { TLSSocket } from 'node:tls';
import { AUTHORITY } from './certificate-files.js';

export interface SecureAnswer {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The subject of the server's certificate. */
  readonly subject: string | undefined;
  readonly protocol: string | null;
  /** Equal for requests on the same connection. */
  readonly connection: number | undefined;
}

export interface SecureRequest {
  /** Without an agent, each request opens a new connection. */
  readonly agent?: Agent;
  readonly body?: string;
  readonly headers?: Record<string, string>;
}

/** Trusts only the certificate authority of the tests. */
export function ask(url: string, { agent, body, headers }: SecureRequest = {}): Promise<SecureAnswer> {
  const options: RequestOptions = {
    agent: agent ?? false,
    ca: AUTHORITY,
    method: body === undefined ? 'GET' : 'POST',
    headers: { ...headers },
  };
  return new Promise((resolve, reject) => {
    const sending = request(url, options, async (response) => {
      const socket = response.socket as TLSSocket;
      const subject = socket.getPeerX509Certificate()?.subject;
      const protocol = socket.getProtocol();
      const { statusCode: status, headers } = response;
      resolve({
        status,
        headers,
        body: await text(response),
        subject,
        protocol,
        connection: socket.localPort,
      });
    }).on('error', reject);
    sending.end(body);
  });
}
