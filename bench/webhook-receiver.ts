import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { constants, setPriority } from 'node:os';

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
const TIME_LENGTH = new Date(0).toISOString().length;
const ZERO = 0x30;
const NINE = 0x39;

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

// It stands for other machines: it must not take processor time that the service needs.
setPriority(constants.priority.PRIORITY_LOW);

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
  const time = body.indexOf(TIMESTAMP) + TIMESTAMP.length;
  lags.push(Date.now() - Date.parse(body.toString('latin1', time, time + TIME_LENGTH)));
  for (let at = 0; ; ) {
    const found = body.indexOf(CURSOR, at);
    if (found === -1) return;
    const turn = numberAt(body, found + CURSOR.length);
    const seq = numberAt(body, turn.end + 1);
    at = seq.end;
    if (turn.value < endpoint.turn || (turn.value === endpoint.turn && seq.value <= endpoint.seq))
      misplaced += 1;
    endpoint.turn = turn.value;
    endpoint.seq = seq.value;
    endpoint.events += 1;
  }
}

/** The number whose digits begin there. */
function numberAt(body: Buffer, start: number): { readonly value: number; readonly end: number } {
  let value = 0;
  let end = start;
  for (; ; end += 1) {
    const digit = body[end] ?? 0;
    if (digit < ZERO || digit > NINE) return { value, end };
    value = value * 10 + digit - ZERO;
  }
}
