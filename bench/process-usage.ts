import { readFileSync } from 'node:fs';
import { childrenOf } from '../test/support/children-of.js';

/** A tick of the processor times in /proc, which is the same on every Linux that Node.js runs on. */
const TICK_MICROSECONDS = 10_000;

/** Only Linux tells about other processes in files; elsewhere these figures are missing. */
const isKnown = process.platform === 'linux';

/** What this process and the children whose end it has seen have taken of the processors, in microseconds. */
export function cpuOf(pid: number): number {
  if (!isKnown) return Number.NaN;
  // The name in brackets may hold anything. Behind it: utime, stime, cutime and cstime are the 12th to 15th.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) * TICK_MICROSECONDS;
}

/** The same with all its descendants. */
export function cpuOfTree(pid: number): number {
  return overTree(pid, cpuOf);
}

/** Resident memory of a process and its descendants in MiB: now, and the most there ever was. */
export function memoryOfTree(pid: number): { memory: number; peakMemory: number } {
  return { memory: overTree(pid, status('VmRSS')), peakMemory: overTree(pid, status('VmHWM')) };
}

function status(field: string) {
  return (pid: number) => {
    const kibibytes = new RegExp(`${field}:\\s+(\\d+) kB`).exec(
      readFileSync(`/proc/${pid}/status`, 'utf8'),
    )?.[1];
    return Number(kibibytes) / 1024;
  };
}

function overTree(pid: number, figure: (pid: number) => number): number {
  if (!isKnown) return Number.NaN;
  try {
    return childrenOf(pid).reduce((sum, child) => sum + overTree(child, figure), figure(pid));
  } catch (error) {
    // It ended in between: PostgreSQL makes short-lived processes, whose times its first process adds to its own.
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return 0;
    throw error;
  }
}
