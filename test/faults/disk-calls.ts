import type { SystemCall } from '../support/system-calls.js';

interface Place {
  readonly path: string;
  readonly begun: number;
  readonly ended: number;
}

/** What a process does to the files below a directory. */
export type DiskCall = Place &
  (
    | { readonly kind: 'create'; readonly isDirectory: boolean }
    | { readonly kind: 'write'; readonly offset: number; readonly data: Buffer }
    | { readonly kind: 'truncate'; readonly offset: number }
    | { readonly kind: 'sync' | 'remove' }
    | { readonly kind: 'rename'; readonly to: string }
  );

/** For strace: everything by which a file, or its name, could be changed. */
export const CHANGING_CALLS =
  'creat,open,openat,mkdir,mkdirat,write,writev,pwrite64,pwritev,pwritev2,truncate,ftruncate,fallocate,fsync,fdatasync,' +
  'sync_file_range,copy_file_range,sendfile,rename,renameat,renameat2,unlink,unlinkat,rmdir,link,linkat,symlink,symlinkat';

/** Locks, and an index of the log which is made anew after a crash. */
const LEFT_OUT = /-shm$|\/server\.lock/;

export function isSimulated(path: string): boolean {
  return !LEFT_OUT.test(path);
}

/** All calls of a trace with bytes in hexadecimal (`-xx`) that concern what is below `root`, in their order. */
export function diskCallsIn(calls: readonly SystemCall[], root: string): DiskCall[] {
  const mark = Buffer.from(root).toString('hex').replaceAll(/../g, '\\x$&');
  return calls
    .filter(({ args }) => args.includes(mark))
    .flatMap((call) => diskCall(call, root))
    .sort((a, b) => a.ended - b.ended);
}

function diskCall(call: SystemCall, root: string): DiskCall[] {
  const { begun, ended, result = '' } = call;
  // Of these, arm64 has only the form that can begin at a directory, which nobody here makes use of.
  const name = call.name.replace(/^(mkdir|rename|unlink)at$/, '$1');
  // Failed, or never returned: then nothing is known of it, and there is nothing behind it.
  if (!/^\d/.test(result)) return [];
  const args = call.args.replaceAll(/<((?:\\x[0-9a-f]{2})*)>/g, (_, path) => `<${textOf(path)}>`);
  const [first = '', second] = [...args.matchAll(/(?:^|, )"((?:\\x[0-9a-f]{2})*)"/g)].map(
    ([, text = '']) => text,
  );
  const ofDescriptor = /^\d+<([^>]*)>/.exec(args)?.[1];
  const path = ofDescriptor ?? textOf(first);
  if (!`${path}/`.startsWith(`${root}/`) || !isSimulated(path)) return [];
  const place = { path, begun, ended };
  const number = Number(/(\d+)$/.exec(args)?.[1]);
  if (name === 'pwrite64') return [{ ...place, kind: 'write', offset: number, data: bytesOf(first) }];
  if (name === 'ftruncate') return [{ ...place, kind: 'truncate', offset: number }];
  if (name === 'fsync' || name === 'fdatasync') return [{ ...place, kind: 'sync' }];
  if (name === 'mkdir') return [{ ...place, kind: 'create', isDirectory: true }];
  if (name === 'unlink' && !args.includes('AT_REMOVEDIR')) return [{ ...place, kind: 'remove' }];
  if (name === 'rename') return [{ ...place, kind: 'rename', to: textOf(second ?? '') }];
  // What must not be there before has nothing to be cut off.
  if (name === 'openat' && (!args.includes('O_TRUNC') || args.includes('O_EXCL'))) {
    return args.includes('O_CREAT') ? [{ ...place, kind: 'create', isDirectory: false }] : [];
  }
  throw new Error(`Not simulated: ${name} of ${path}`);
}

/** What strace shows as `\x61\x62`. */
export function bytesOf(shown: string): Buffer {
  return Buffer.from(shown.replaceAll('\\x', ''), 'hex');
}

const textOf = (shown: string) => bytesOf(shown).toString();
