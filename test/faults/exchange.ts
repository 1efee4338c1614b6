import { type Agent, type IncomingHttpHeaders, request } from 'node:http';
import { text } from 'node:stream/consumers';

export interface Question {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Pieces are sent as they come. */
  readonly body?: string | AsyncIterable<string>;
  readonly signal?: AbortSignal;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A request and what became of it: never rejects. */
export interface Exchange {
  /** By the clock of `performance`. */
  readonly sentAt: number;
  /** Whether its connection had carried another one before. */
  readonly isReused: boolean;
  readonly answer?: Answer;
  /** Why there is no whole answer: a code, behind `half: ` where it had begun. */
  readonly failure?: string;
}

/** With `node:http`, which tells more about connections than `fetch`, and never repeats a request by itself. */
export function exchange(url: string, agent: Agent, question: Question = {}): Promise<Exchange> {
  const { method = 'GET', headers = {}, body = '', signal } = question;
  const sentAt = performance.now();
  return new Promise((resolve) => {
    const outgoing = request(url, { agent, method, headers, signal });
    const end = (what: Pick<Exchange, 'answer' | 'failure'>) =>
      resolve({ sentAt, isReused: outgoing.reusedSocket, ...what });
    const fail = (error: NodeJS.ErrnoException, begun = '') =>
      end({ failure: `${begun}${error.code ?? error.message}` });
    outgoing.on('error', fail);
    outgoing.on('response', (incoming) => {
      const { statusCode: status = 0, headers } = incoming;
      text(incoming).then(
        (body) => end({ answer: { status, headers, body } }),
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
