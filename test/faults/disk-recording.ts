import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { childrenOf } from '../support/children-of.js';
import { freshDirectory, PROGRAM, Service, type Settings } from '../support/service.js';
import { parseTrace, type SystemCall } from '../support/system-calls.js';
import type { SentRequest } from './continuous-load.js';
import { bytesOf, CHANGING_CALLS, type DiskCall, diskCallsIn } from './disk-calls.js';

const TRACED = `trace=${CHANGING_CALLS},sendto,sendmsg`;
/** Large enough that strace shows every call completely. */
const SHOWN_BYTES = '16777216';

/** The file operations of a server, and the times of its responses. */
export class DiskRecording {
  readonly calls: readonly DiskCall[];
  /** Request, or account of an import → the position in the trace where the response was sent. */
  readonly #responses = new Map<string, number>();

  private constructor(calls: readonly SystemCall[], root: string) {
    this.calls = diskCallsIn(calls, root);
    for (const call of calls) this.#recordResponse(call);
  }

  /** Records a server from its start on. `use` must end the process that it receives. */
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

  /** Whether a request was acknowledged before this position. */
  isAcknowledged(requestId: string, at: number, accountId = ''): boolean {
    return (this.#responses.get(requestId) ?? this.#responses.get(accountId) ?? Infinity) < at;
  }

  /** The sent requests, with the acknowledgements that their senders had received at this position. */
  sentBefore(at: number, sent: readonly SentRequest[]): SentRequest[] {
    return sent.map((request) => {
      const acknowledged = this.isAcknowledged(request.requestId, at, request.accountIds[0]);
      return { ...request, acknowledged: acknowledged && !request.isRejected };
    });
  }

  #recordResponse({ args, begun }: SystemCall): void {
    if (!/^\d+<\\x73\\x6f\\x63\\x6b\\x65\\x74/.test(args)) return;
    const parts = [...args.matchAll(/"((?:\\x[0-9a-f]{2})*)"/g)].map(([, shown = '']) => bytesOf(shown));
    const text = Buffer.concat(parts).toString();
    const requestId = /^HTTP\/1\.1 2\d\d .*?\r\nx-request-id: (\S+)/is.exec(text)?.[1];
    // The response to an import begins before anything is stored; its lines acknowledge the records.
    if (requestId !== undefined && !text.includes('application/x-ndjson')) this.#record(requestId, begun);
    const lines = text.matchAll(/"account_id":"([^"]+)","status":"(?:created|updated)"/g);
    for (const [, accountId = ''] of lines) this.#record(accountId, begun);
  }

  #record(name: string, at: number): void {
    if (!this.#responses.has(name)) this.#responses.set(name, at);
  }
}
