import { connect } from 'node:net';

export interface LoadResult {
  readonly requestsPerSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly failures: number;
}

export interface Load {
  readonly url: string;
  readonly connections: number;
  readonly seconds: number;
  /** The whole next request as it goes over the wire. */
  nextRequest(): Buffer;
}

/** Each connection sends its next request when the last is answered. Raw sockets, to leave the cores to the server. */
export async function run({ url, connections, seconds, nextRequest }: Load): Promise<LoadResult> {
  const { hostname, port } = new URL(url);
  const end = performance.now() + seconds * 1000;
  const latencies: number[] = [];
  let failures = 0;
  const startedAt = performance.now();
  const drive = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true });
      let sentAt = 0;
      let received = '';
      const send = () => {
        if (performance.now() >= end) {
          socket.destroy();
          resolve();
          return;
        }
        sentAt = performance.now();
        socket.write(nextRequest());
      };
      socket.on('connect', send);
      socket.on('error', reject);
      socket.on('data', (chunk) => {
        received += chunk.toString('latin1');
        if (!received.endsWith('}')) return;
        latencies.push(performance.now() - sentAt);
        if (!received.endsWith('\r\n\r\n{"success":true}')) failures += 1;
        received = '';
        send();
      });
    });
  await Promise.all(Array.from({ length: connections }, drive));
  const elapsed = (performance.now() - startedAt) / 1000;
  latencies.sort((a, b) => a - b);
  const percentile = (share: number) => latencies[Math.floor(latencies.length * share)] ?? Number.NaN;
  return {
    requestsPerSecond: latencies.length / elapsed,
    p50: percentile(0.5),
    p99: percentile(0.99),
    failures,
  };
}
