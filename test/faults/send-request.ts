import { type Agent, type IncomingHttpHeaders, request } from 'node:http';
import { text } from 'node:stream/consumers';

export interface RequestOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The pieces of an iterable are sent as they arrive. */
  readonly body?: string | AsyncIterable<string>;
  readonly signal?: AbortSignal;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** The result of a request, also of a failed one. */
export interface RequestResult {
  /** When the first bytes were sent, by `performance.now()`; infinity without a connection. */
  readonly sentAt: number;
  /** Whether the connection had carried another request before. */
  readonly isReused: boolean;
  readonly response?: HttpResponse;
  /** Why there is no complete response: an error code, with the prefix `half: ` if the response had begun. */
  readonly failure?: string;
}

/** Never rejects. Uses `node:http`, which shows more of connections than `fetch`, and never repeats a request. */
export function sendRequest(url: string, agent: Agent, options: RequestOptions = {}): Promise<RequestResult> {
  const { method = 'GET', headers = {}, body = '', signal } = options;
  let sentAt = Number.POSITIVE_INFINITY;
  return new Promise((resolve) => {
    const outgoing = request(url, { agent, method, headers, signal });
    const end = (outcome: Pick<RequestResult, 'response' | 'failure'>) =>
      resolve({ sentAt, isReused: outgoing.reusedSocket, ...outcome });
    const fail = (error: NodeJS.ErrnoException, prefix = '') =>
      end({ failure: `${prefix}${error.code ?? error.message}` });
    const sent = () => {
      sentAt = performance.now();
    };
    outgoing.on('socket', (socket) => (socket.connecting ? socket.once('connect', sent) : sent()));
    outgoing.on('error', fail);
    outgoing.on('response', (incoming) => {
      const { statusCode: status = 0, headers } = incoming;
      text(incoming).then(
        (body) => end({ response: { status, headers, body } }),
        (error) => fail(error, 'half: '),
      );
    });
    if (typeof body === 'string') outgoing.end(body);
    else sendPieces(body, outgoing).catch(() => {});
  });
}

async function sendPieces(
  pieces: AsyncIterable<string>,
  outgoing: ReturnType<typeof request>,
): Promise<void> {
  for await (const piece of pieces) {
    if (outgoing.destroyed) return;
    outgoing.write(piece);
  }
  outgoing.end();
}
