import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { WebhookEvent } from '@account-sync/client';
import { onTestFinished } from 'vitest';

export interface ReceivedMessage {
  readonly path: string;
  readonly id: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly events: readonly WebhookEvent[];
}

export type Reply = (response: ServerResponse, message: ReceivedMessage) => void;

export const taken: Reply = (response) => void response.end('ok');
export const answer =
  (status: number, headers: Record<string, string> = {}, body = ''): Reply =>
  (response) =>
    void response.writeHead(status, headers).end(body);
/** Closes the connection without an answer. */
export const cut: Reply = (response) => void response.socket?.destroy();
/** Never answers. */
export const hang: Reply = () => {};

/** A receiver of webhooks on this machine. It takes every message, unless a test has another reply for it. */
export class WebhookReceiver {
  readonly messages: ReceivedMessage[] = [];
  /** Replies to the next messages. */
  readonly next: Reply[] = [];
  reply: Reply = taken;
  /** If true, the connection of a request is closed while its body arrives. */
  isCut: () => boolean = () => false;
  /** Messages that were received and not answered yet, and the most of them at one time. */
  open = 0;
  mostOpen = 0;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  /** Stops after the test. */
  static async start(): Promise<WebhookReceiver> {
    const server = createServer();
    const receiver = new WebhookReceiver(server);
    server.on('request', (request, response) => {
      if (receiver.isCut()) return void request.once('data', () => request.socket.destroy());
      const chunks: Buffer[] = [];
      receiver.open += 1;
      receiver.mostOpen = Math.max(receiver.mostOpen, receiver.open);
      response.once('close', () => {
        receiver.open -= 1;
      });
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = Buffer.concat(chunks).toString();
        const { url = '', headers } = request;
        const id = String(headers['webhook-id']);
        const message = { path: url, id, headers, body, events: JSON.parse(body).data };
        receiver.messages.push(message);
        (receiver.next.shift() ?? receiver.reply)(response, message);
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The ids of the accounts of all events, in the order in which they arrived; repeated messages once. */
  get accounts(): string[] {
    const seen = new Set<string>();
    return this.messages
      .filter(({ id }) => !seen.has(id) && seen.add(id))
      .flatMap(({ events }) => events.map(({ data }) => ('account_id' in data ? data.account_id : '–')));
  }
}
