import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { freshDirectory } from './service.js';

/** A system call of a process, traced with strace. */
export interface SystemCall {
  readonly name: string;
  /** As strace prints them: `28</path/of/the/file>, "what is written", 15`. */
  readonly args: string;
  /** The result, if the call returned while it was traced. */
  readonly result: string | undefined;
  /** Line numbers in the trace. A thread continues only after its line is written, so causes come before effects. */
  readonly begun: number;
  readonly ended: number;
}

const TRACED = 'fsync,fdatasync,pwrite64,write,writev,sendmsg,sendto';
/** The largest page of SQLite, in bytes. */
const SHOWN_BYTES = '65536';

/** Traces the calls of all threads of a process while `action` runs. `onSync` is strace's fault for every sync. */
export async function traceSystemCalls(
  pid: number,
  onSync: string,
  action: () => Promise<unknown>,
): Promise<SystemCall[]> {
  const directory = await freshDirectory();
  const file = join(directory, 'trace');
  const inject = `inject=fsync,fdatasync:${onSync}`;
  const options = ['-f', '-y', '-s', SHOWN_BYTES, '-e', `trace=${TRACED}`, '-e', inject, '-o', file];
  const strace = spawn('strace', [...options, '-p', String(pid)], { stdio: ['ignore', 'ignore', 'pipe'] });
  const closed = once(strace, 'close');
  try {
    await new Promise<void>((resolve, reject) => {
      let output = '';
      strace.stderr.on('data', (chunk) => {
        output += chunk;
        if (/Process \d+ attached/.test(output)) resolve();
      });
      closed.then(() => reject(new Error(`strace ended: ${output}`)), reject);
    });
    await action();
    strace.kill('SIGINT');
    await closed;
    return parseTrace(await readFile(file, 'utf8'));
  } finally {
    strace.kill('SIGKILL');
    await rm(directory, { recursive: true, force: true });
  }
}

/** Whether strace is installed and may attach to processes of this user. */
export async function canTraceSystemCalls(): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  const idle = spawn('cat', { stdio: ['pipe', 'ignore', 'ignore'] });
  const closed = once(idle, 'close');
  const traced = traceSystemCalls(idle.pid ?? 0, 'delay_exit=1', async () => {});
  const can = await traced.then(
    () => true,
    () => false,
  );
  idle.stdin.end();
  await closed;
  return can;
}

export function parseTrace(trace: string): SystemCall[] {
  const calls: { text: string; begun: number; ended: number }[] = [];
  /** By thread. If another thread interrupts a call, the trace has the call in two lines. */
  const latest = new Map<string, (typeof calls)[number]>();
  for (const [at, line] of trace.split('\n').entries()) {
    const [, thread = '', text = ''] = /^(\d+) +(.*)$/.exec(line) ?? [];
    const rest = /^<\.\.\. \w+ resumed>(.*)$/.exec(text)?.[1];
    const call = latest.get(thread);
    if (rest !== undefined && call !== undefined) {
      call.text += rest;
      call.ended = at;
    } else if (/^\w+\(/.test(text)) {
      const begin = / ?<(unfinished|detached) \.\.\.>$/;
      const begun = { text: text.replace(begin, ''), begun: at, ended: begin.test(text) ? Infinity : at };
      calls.push(begun);
      latest.set(thread, begun);
    }
  }
  return calls.map(({ text, begun, ended }) => {
    const [, name = '', inside = ''] = /^(\w+)\((.*)$/.exec(text) ?? [];
    const [, args = inside, result] = /^(.*)\) += (\S+)/.exec(inside) ?? [];
    return { name, args, result, begun, ended };
  });
}
