import type { SystemCall } from '../support/system-calls.js';

interface CallPosition {
  readonly path: string;
  readonly begun: number;
  readonly ended: number;
}

/** A system call that changes or syncs files below a directory. */
export type DiskCall = CallPosition &
  (
    | { readonly kind: 'create'; readonly isDirectory: boolean }
    | { readonly kind: 'write'; readonly offset: number; readonly data: Buffer }
    | { readonly kind: 'truncate'; readonly offset: number }
    | { readonly kind: 'sync' | 'remove' }
    | { readonly kind: 'rename'; readonly to: string }
  );

/** For strace: all calls that can change a file or its name. */
export const CHANGING_CALLS =
  'creat,open,openat,mkdir,mkdirat,write,writev,pwrite64,pwritev,pwritev2,truncate,ftruncate,fallocate,fsync,fdatasync,' +
  'sync_file_range,copy_file_range,sendfile,rename,renameat,renameat2,unlink,unlinkat,rmdir,link,linkat,symlink,symlinkat';

/** Lock files, and the index of the write-ahead log, which SQLite rebuilds after a crash. */
const IGNORED = /-shm$|\/server\.lock/;

export function isSimulated(path: string): boolean {
  return !IGNORED.test(path);
}

/** All calls of a trace, with bytes in hexadecimal (`-xx`), that concern files below `root`, in order of their end. */
export function diskCallsIn(calls: readonly SystemCall[], root: string): DiskCall[] {
  const mark = Buffer.from(root).toString('hex').replaceAll(/../g, '\\x$&');
  return calls
    .filter(({ args }) => args.includes(mark))
    .flatMap((call) => diskCall(call, root))
    .sort((a, b) => a.ended - b.ended);
}

function diskCall(call: SystemCall, root: string): DiskCall[] {
  const { begun, ended, result = '' } = call;
  // arm64 has only the `…at` forms of these calls. Their directory argument is not used here.
  const name = call.name.replace(/^(mkdir|rename|unlink)at$/, '$1');
  // A call that failed has no effect. Of a call that never returned, the effect is unknown, and no call follows it.
  if (!/^\d/.test(result)) return [];
  const args = call.args.replaceAll(/<((?:\\x[0-9a-f]{2})*)>/g, (_, path) => `<${textOf(path)}>`);
  const [first = '', second] = [...args.matchAll(/(?:^|, )"((?:\\x[0-9a-f]{2})*)"/g)].map(
    ([, text = '']) => text,
  );
  const ofDescriptor = /^\d+<([^>]*)>/.exec(args)?.[1];
  const path = ofDescriptor ?? textOf(first);
  if (!`${path}/`.startsWith(`${root}/`) || !isSimulated(path)) return [];
  const position = { path, begun, ended };
  const number = Number(/(\d+)$/.exec(args)?.[1]);
  if (name === 'pwrite64') return [{ ...position, kind: 'write', offset: number, data: bytesOf(first) }];
  if (name === 'ftruncate') return [{ ...position, kind: 'truncate', offset: number }];
  if (name === 'fsync' || name === 'fdatasync') return [{ ...position, kind: 'sync' }];
  if (name === 'mkdir') return [{ ...position, kind: 'create', isDirectory: true }];
  if (name === 'unlink' && !args.includes('AT_REMOVEDIR')) return [{ ...position, kind: 'remove' }];
  if (name === 'rename') return [{ ...position, kind: 'rename', to: textOf(second ?? '') }];
  // A file that must not exist before (O_EXCL) has no content to truncate.
  if (name === 'openat' && (!args.includes('O_TRUNC') || args.includes('O_EXCL'))) {
    return args.includes('O_CREAT') ? [{ ...position, kind: 'create', isDirectory: false }] : [];
  }
  throw new Error(`Not simulated: ${name} of ${path}`);
}

/** Decodes bytes that strace shows as `\x61\x62`. */
export function bytesOf(shown: string): Buffer {
  return Buffer.from(shown.replaceAll('\\x', ''), 'hex');
}

const textOf = (shown: string) => bytesOf(shown).toString();
