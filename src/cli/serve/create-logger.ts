import cluster from 'node:cluster';
import { pino } from 'pino';
import type { Config } from '../../config.js';

/** Logs to standard error, because standard output carries the banner with the first key. */
export function createLogger(level: Config['logLevel']) {
  return pino(
    {
      level,
      base: cluster.worker === undefined ? null : { worker: cluster.worker.id },
      timestamp,
      formatters: { level: (label) => ({ level: label }) },
      // A safeguard: nothing logs headers today, and if something does, keys stay out of the log.
      redact: ['req.headers.authorization', 'headers.authorization'],
    },
    batched(pino.destination({ dest: 2, sync: false })),
  );
}

const MAX_BATCH_CHARACTERS = 32_768;
const BATCH_MS = 50;

/** Passes lines on in batches: under load, passing them one by one costs more than writing them. */
function batched(destination: ReturnType<typeof pino.destination>) {
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
      // The timer keeps a normal exit waiting; the exit listener above handles the others.
      if (lines === '') setTimeout(() => lines !== '' && flush(), BATCH_MS);
      lines += line;
      if (lines.length > MAX_BATCH_CHARACTERS) flush();
    },
  };
}

let time = Number.NaN;
let timeText = '';

/** Formats the time once per millisecond, because many lines share it under load. */
function timestamp(): string {
  const now = Date.now();
  if (now !== time) {
    time = now;
    timeText = `,"time":"${new Date(now).toISOString()}"`;
  }
  return timeText;
}
