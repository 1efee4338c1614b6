import { connect } from 'node:net';

export interface LoadResult {
  readonly requestsPerSecond: number;
  /** In milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly failures: number;
  /** What producing the load took of one core. */
  readonly ownCpu: number;
}

export interface Load {
  readonly url: string;
  readonly connections: number;
  /** The whole next request as it goes over the wire; `undefined` ends the load. */
  nextRequest(): Buffer | undefined;
}

const ANSWER_TIMEOUT_MS = 30_000;

/** Each connection sends its next request when the last is answered. Raw sockets, to leave the cores to the server. */
export async function run({ url, connections, nextRequest }: Load): Promise<LoadResult> {
  const latencies: number[] = [];
  let failures = 0;
  const answered = (latency: number, succeeded: boolean) => {
    latencies.push(latency);
    if (!succeeded) failures += 1;
  };
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: connections }, () => drive(url, nextRequest, answered)));
  const seconds = (performance.now() - startedAt) / 1000;
  const { user, system } = process.cpuUsage(cpuBefore);
  latencies.sort((a, b) => a - b);
  const percentile = (share: number) => latencies[Math.floor(latencies.length * share)] ?? Number.NaN;
  return {
    requestsPerSecond: latencies.length / seconds,
    p50: percentile(0.5),
    p99: percentile(0.99),
    failures,
    ownCpu: (user + system) / 1e6 / seconds,
  };
}

function drive(
  url: string,
  nextRequest: Load['nextRequest'],
  answered: (latency: number, succeeded: boolean) => void,
): Promise<void> {
  const { hostname, port } = new URL(url);
  return new Promise<void>((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    let sentAt = 0;
    let received = '';
    const send = () => {
      const request = nextRequest();
      if (request === undefined) {
        socket.destroy();
        resolve();
        return;
      }
      sentAt = performance.now();
      socket.write(request);
    };
    socket.setTimeout(ANSWER_TIMEOUT_MS, () => socket.destroy(new Error(`${url} does not answer.`)));
    socket.on('connect', send);
    socket.on('error', reject);
    socket.on('close', () => reject(new Error(`${url} closed a connection.`)));
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      if (!received.endsWith('}')) return;
      const succeeded = received.startsWith('HTTP/1.1 200 ') && received.endsWith('\r\n\r\n{"success":true}');
      answered(performance.now() - sentAt, succeeded);
      received = '';
      send();
    });
  });
}
