import cluster from 'node:cluster';
import { pino } from 'pino';
import type { Config } from '../../config.js';

/** Logs go to standard error, so that standard output keeps what is for people, the first key among it. */
export function createLogger(level: Config['logLevel']) {
  return pino(
    {
      level,
      base: cluster.worker === undefined ? null : { worker: cluster.worker.id },
      timestamp,
      formatters: { level: (label) => ({ level: label }) },
      // Nothing logs headers; should something ever, the key stays out.
      redact: ['req.headers.authorization', 'headers.authorization'],
    },
    gathered(pino.destination({ dest: 2, sync: false })),
  );
}

const MAX_GATHERED = 32_768;
const GATHER_MS = 50;

/** Lines are handed on many at a time: under load, one by one, that would cost more than to write them. */
function gathered(destination: ReturnType<typeof pino.destination>) {
  let lines = '';
  const flush = () => {
    destination.write(lines);
    lines = '';
  };
  process.once('exit', () => {
    if (lines !== '') flush();
    destination.flushSync();
  });
  return {
    write(line: string): void {
      // An orderly end waits for it, so that only an abrupt one is left to the listener above.
      if (lines === '') setTimeout(() => lines !== '' && flush(), GATHER_MS);
      lines += line;
      if (lines.length > MAX_GATHERED) flush();
    },
  };
}

let time = Number.NaN;
let timeText = '';

/** Written once a millisecond: under load many lines share it. */
function timestamp(): string {
  const now = Date.now();
  if (now !== time) {
    time = now;
    timeText = `,"time":"${new Date(now).toISOString()}"`;
  }
  return timeText;
}
