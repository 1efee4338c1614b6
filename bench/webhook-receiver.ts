import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the endpoints of the receiver have got since the start. */
export interface Received {
  readonly events: readonly number[];
  /** Messages whose events do not follow those before, apart from repeated messages. */
  readonly misplaced: number;
  readonly repeated: number;
  /** The delays of the last event of each message since the last report, in milliseconds. */
  readonly lags: readonly number[];
}

const CURSOR = Buffer.from('"cursor":"');
const TIMESTAMP = Buffer.from('"timestamp":"');
const QUOTE = 0x22;

interface EndpointCount {
  events: number;
  turn: number;
  seq: number;
  readonly ids: Set<string>;
}

/** The endpoints, by their paths. */
const endpoints = new Map<string, EndpointCount>();
let misplaced = 0;
let repeated = 0;
let lags: number[] = [];

/**
 * A process of its own that takes messages of webhooks, and checks that their events are in order. It does not parse
 * them, because it shares the processor with the service.
 */
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    response.end();
    if (request.url === '/reset') return endpoints.clear();
    take(request.url ?? '', String(request.headers['webhook-id']), Buffer.concat(chunks));
  });
});
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));

process.on('message', () => {
  const received: Received = {
    events: [...endpoints.values()].map(({ events }) => events),
    misplaced,
    repeated,
    lags,
  };
  lags = [];
  process.send?.(received);
});
process.on('disconnect', () => process.exit());

function take(path: string, id: string, body: Buffer): void {
  const known = endpoints.get(path);
  const endpoint = known ?? { events: 0, turn: 0, seq: -1, ids: new Set() };
  if (known === undefined) endpoints.set(path, endpoint);
  if (endpoint.ids.has(id)) {
    repeated += 1;
    return;
  }
  endpoint.ids.add(id);
  // The first time is that of the message, which is that of its last event.
  lags.push(Date.now() - Date.parse(textAfter(body, TIMESTAMP, 0).text));
  for (let at = 0; ; ) {
    const { text, end } = textAfter(body, CURSOR, at);
    if (end === -1) return;
    at = end;
    const [turn = 0, seq = 0] = text.split('~').map(Number);
    if (turn < endpoint.turn || (turn === endpoint.turn && seq <= endpoint.seq)) misplaced += 1;
    endpoint.turn = turn;
    endpoint.seq = seq;
    endpoint.events += 1;
  }
}

/** The text between a mark and the next quote; `end` is -1 if there is none. */
function textAfter(
  body: Buffer,
  mark: Buffer,
  from: number,
): { readonly text: string; readonly end: number } {
  const start = body.indexOf(mark, from);
  if (start === -1) return { text: '', end: -1 };
  const end = body.indexOf(QUOTE, start + mark.length);
  return { text: body.toString('latin1', start + mark.length, end), end };
}
