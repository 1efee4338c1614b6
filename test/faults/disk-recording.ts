import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { childrenOf } from '../support/children-of.js';
import { freshDirectory, PROGRAM, Service, type Settings } from '../support/service.js';
import { parseTrace, type SystemCall } from '../support/system-calls.js';
import { bytesOf, CHANGING_CALLS, type DiskCall, diskCallsIn } from './disk-calls.js';
import type { Sent } from './persistent-load.js';

const TRACED = `trace=${CHANGING_CALLS},sendto,sendmsg`;
/** No call is shown in part. */
const SHOWN_BYTES = '16777216';

/** What a server did to its files, and when it answered. */
export class DiskRecording {
  readonly calls: readonly DiskCall[];
  /** Request, or account of an import → the moment at which the answer began to leave. */
  readonly #answers = new Map<string, number>();

  private constructor(calls: readonly SystemCall[], root: string) {
    this.calls = diskCallsIn(calls, root);
    for (const call of calls) this.#noteAnswer(call);
  }

  /** A server from its start on; `use` ends the process it is given. */
  static async make(
    settings: Settings,
    root: string,
    use: (url: string, pid: number) => Promise<unknown>,
  ): Promise<DiskRecording> {
    const directory = await freshDirectory();
    const file = join(directory, 'trace');
    const strace = [
      'strace',
      '-f',
      '--seccomp-bpf',
      '-y',
      '-xx',
      '-s',
      SHOWN_BYTES,
      '-e',
      TRACED,
      '-o',
      file,
    ];
    const service = await Service.start(settings, [...strace, process.execPath, PROGRAM, 'serve']);
    const [pid = Number.NaN] = childrenOf(service.pid);
    try {
      await use(service.url, pid);
    } catch (error) {
      process.kill(pid, 'SIGKILL');
      throw error;
    }
    await service.ended;
    const recording = new DiskRecording(parseTrace(await readFile(file, 'latin1')), root);
    await rm(directory, { recursive: true, force: true });
    return recording;
  }

  /** Whether a request was acknowledged by this moment. */
  isAnswered(requestId: string, at: number, accountId = ''): boolean {
    return (this.#answers.get(requestId) ?? this.#answers.get(accountId) ?? Infinity) < at;
  }

  /** What was sent, as its senders knew it at this moment. */
  sentBy(at: number, sent: readonly Sent[]): Sent[] {
    return sent.map((one) => {
      const acknowledged = this.isAnswered(one.requestId, at, one.accountIds[0]);
      return { ...one, acknowledged: acknowledged && !one.isRefused };
    });
  }

  #noteAnswer({ args, begun }: SystemCall): void {
    if (!/^\d+<\\x73\\x6f\\x63\\x6b\\x65\\x74/.test(args)) return;
    const parts = [...args.matchAll(/"((?:\\x[0-9a-f]{2})*)"/g)].map(([, shown = '']) => bytesOf(shown));
    const text = Buffer.concat(parts).toString();
    const requestId = /^HTTP\/1\.1 2\d\d .*?\r\nx-request-id: (\S+)/is.exec(text)?.[1];
    // The answer to an import begins before anything is stored; its lines tell what is.
    if (requestId !== undefined && !text.includes('application/x-ndjson')) this.#note(requestId, begun);
    const lines = text.matchAll(/"account_id":"([^"]+)","status":"(?:created|updated)"/g);
    for (const [, accountId = ''] of lines) this.#note(accountId, begun);
  }

  #note(what: string, at: number): void {
    if (!this.#answers.has(what)) this.#answers.set(what, at);
  }
}
