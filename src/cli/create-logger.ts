import cluster from 'node:cluster';
import { pino } from 'pino';
import type { Config } from '../config.js';

/** Logs go to standard error, so that standard output keeps what is for people, the first key among it. */
export function createLogger(level: Config['logLevel']) {
  return pino(
    {
      level,
      base: cluster.worker === undefined ? null : { worker: cluster.worker.id },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      // Nothing logs headers; should something ever, the key stays out.
      redact: ['req.headers.authorization', 'headers.authorization'],
    },
    // Gathered for a moment under load: a system call for every line would cost more than the line.
    pino.destination({ dest: 2, sync: false, minLength: 4096, periodicFlush: 100 }),
  );
}
