import { readFileSync } from 'node:fs';
import { childrenOf } from '../test/support/children-of.js';

/** The unit of processor times in /proc: 10 ms on every Linux that Node.js supports. */
const TICK_MICROSECONDS = 10_000;

/** Only Linux has /proc; on other systems these figures are NaN. */
const isKnown = process.platform === 'linux';

/** Processor time of a process and of its children that it has waited for, in microseconds. */
export function cpuOf(pid: number): number {
  if (!isKnown) return Number.NaN;
  // The name in brackets may contain any character, also spaces. After it, utime, stime, cutime and cstime are the
  // 12th to 15th field.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) * TICK_MICROSECONDS;
}

/** Processor time of a process and all its descendants. */
export function cpuOfTree(pid: number): number {
  return sumOverTree(pid, cpuOf);
}

/** Resident memory of a process and its descendants in MiB: now, and the sum of their peaks. */
export function memoryOfTree(pid: number): { memory: number; peakMemory: number } {
  return { memory: sumOverTree(pid, status('VmRSS')), peakMemory: sumOverTree(pid, status('VmHWM')) };
}

function status(field: string) {
  return (pid: number) => {
    const kibibytes = new RegExp(`${field}:\\s+(\\d+) kB`).exec(
      readFileSync(`/proc/${pid}/status`, 'utf8'),
    )?.[1];
    return Number(kibibytes) / 1024;
  };
}

function sumOverTree(pid: number, figure: (pid: number) => number): number {
  if (!isKnown) return Number.NaN;
  try {
    return childrenOf(pid).reduce((sum, child) => sum + sumOverTree(child, figure), figure(pid));
  } catch (error) {
    // The process has exited. PostgreSQL starts short-lived processes, and its main process includes their times.
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return 0;
    throw error;
  }
}
