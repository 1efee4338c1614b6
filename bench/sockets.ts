import { connect } from 'node:net';
import { interruption } from './interruption.js';
import { latencyPercentiles } from './latency-percentiles.js';
import type { Load, LoadGenerator, LoadResult } from './load-generator.js';
import { nextRequest } from './workload.js';

const RESPONSE_TIMEOUT_MS = 30_000;

/** Raw sockets in this process. They need no other program, and less processor time than an HTTP client. */
export const sockets: LoadGenerator = {
  name: 'sockets of this process',
  run(load, seconds) {
    const end = performance.now() + seconds * 1000;
    return send(load, () => performance.now() >= end);
  },
};

/** Sends requests until `isOver` returns true. It is called before each request. */
export async function send(load: Load, isOver: () => boolean): Promise<LoadResult> {
  const { url, key, source, workload } = load;
  const latencies: number[] = [];
  let failures = 0;
  const onResponse = (latency: number, succeeded: boolean) => {
    latencies.push(latency);
    if (!succeeded) failures += 1;
  };
  const next = () => (interruption.aborted || isOver() ? undefined : nextRequest(workload, source, key));
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: workload.connections }, () => driveConnection(url, next, onResponse)),
  );
  interruption.throwIfAborted();
  const seconds = (performance.now() - startedAt) / 1000;
  return { requests: latencies.length, failures, seconds, ...latencyPercentiles(latencies) };
}

function driveConnection(
  url: string,
  next: () => Buffer | undefined,
  onResponse: (latency: number, succeeded: boolean) => void,
): Promise<void> {
  const { hostname, port } = new URL(url);
  return new Promise<void>((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    let sentAt = 0;
    let received = '';
    const sendNext = () => {
      const request = next();
      if (request === undefined) {
        socket.destroy();
        resolve();
        return;
      }
      sentAt = performance.now();
      socket.write(request);
    };
    socket.setTimeout(RESPONSE_TIMEOUT_MS, () => socket.destroy(new Error(`${url} does not respond.`)));
    socket.on('connect', sendNext);
    socket.on('error', reject);
    socket.on('close', () => reject(new Error(`${url} closed a connection.`)));
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      if (!received.endsWith('}')) return;
      const succeeded = received.startsWith('HTTP/1.1 200 ') && received.endsWith('\r\n\r\n{"success":true}');
      onResponse(performance.now() - sentAt, succeeded);
      received = '';
      sendNext();
    });
  });
}
