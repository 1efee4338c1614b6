import cluster from 'node:cluster';
import { pino } from 'pino';
import type { Config } from '../config.js';

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
    // Gathered for a moment under load: a system call for every line would cost more than the line.
    pino.destination({ dest: 2, sync: false, minLength: 4096, periodicFlush: 100 }),
  );
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
