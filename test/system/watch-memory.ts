import { existsSync, readFileSync } from 'node:fs';

/** Watches the peak memory of a process, in MiB, until `end` is called. Only Linux shows it. */
export function watchMemory(pid: number): { end(): number } {
  let peak = 0;
  const watch = setInterval(() => {
    peak = peakMib(pid) ?? peak;
  }, 20);
  return {
    end() {
      clearInterval(watch);
      return peak;
    },
  };
}

/** `undefined` once the process has ended. */
function peakMib(pid: number): number | undefined {
  if (!existsSync(`/proc/${pid}`)) return undefined;
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
}
