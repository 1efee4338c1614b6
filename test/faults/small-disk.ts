import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, cpSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { owner } from '../support/postgres/binaries.js';

const IS_ROOT = process.getuid?.() === 0;
// A user who is not root becomes root in a new user namespace, and may mount there.
const UNSHARE = IS_ROOT ? ['--mount'] : ['--mount', '--map-root-user'];
const BALLAST = 'ballast';
const PIECE = Buffer.alloc(256 * 1024);

/** Why this machine cannot mount a small file system; `undefined` if it can. */
export function whyNoSmallDisk(): string | undefined {
  const script = 'mount -t tmpfs none /mnt && nsenter --version';
  const { status, error } = spawnSync('unshare', [...UNSHARE, 'sh', '-c', script]);
  return status === 0 ? undefined : (error?.message ?? 'this machine does not allow mounts');
}

/** A file system of some MiB in a mount namespace. Only processes of the namespace see it, and it ends with them. */
export class SmallDisk {
  private constructor(
    readonly directory: string,
    readonly holder: ChildProcess,
  ) {}

  static async mount(directory: string, mib: number): Promise<SmallDisk> {
    const user = owner === undefined ? '' : `,uid=${owner.uid},gid=${owner.gid}`;
    const options = `size=${mib}m,mode=0700${user}`;
    const script = `mount -t tmpfs -o ${options} none "$0" && echo mounted && exec sleep infinity`;
    const holder = spawn('unshare', [...UNSHARE, 'sh', '-c', script, directory]);
    await once(holder.stdout, 'data');
    return new SmallDisk(directory, holder);
  }

  /** The words to put before a command so that it runs in the namespace, optionally as another user. */
  launcher(user?: { readonly uid: number; readonly gid: number }): string[] {
    const identity = user === undefined ? [] : ['--setuid', String(user.uid), '--setgid', String(user.gid)];
    const space = IS_ROOT ? ['--mount'] : ['--mount', '--user', '--preserve-credentials'];
    return ['nsenter', '--target', String(this.holder.pid), ...space, ...identity, '--'];
  }

  /** A path for this process, which is outside the namespace. */
  path(...names: string[]): string {
    return join(`/proc/${this.holder.pid}/root`, this.directory, ...names);
  }

  get freeBytes(): number {
    const { bavail, bsize } = statfsSync(this.path());
    return bavail * bsize;
  }

  fill(leaveBytes: number): void {
    const file = openSync(this.path(BALLAST), 'a');
    try {
      for (let left = this.freeBytes - leaveBytes; left > 0; left = this.freeBytes - leaveBytes) {
        writeSync(file, PIECE, 0, Math.min(left, PIECE.length));
      }
    } catch (error) {
      // The server has used the remaining space in the meantime.
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    } finally {
      closeSync(file);
    }
  }

  free(): void {
    rmSync(this.path(BALLAST), { force: true });
  }

  copyTo(directory: string): void {
    cpSync(this.path(), directory, { recursive: true });
  }

  async remove(): Promise<void> {
    if (this.holder.signalCode !== null) return;
    this.holder.kill('SIGKILL');
    await once(this.holder, 'exit');
  }
}

/** Limits the size to which the process can extend files. Existing larger files keep their size. */
export function limitFiles(pid: number, bytes: number | 'unlimited'): void {
  execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:`]);
}

/** Why file sizes cannot be limited on this machine; `undefined` if they can. */
export function whyNoLimit(): string | undefined {
  return spawnSync('prlimit', ['--version']).status === 0 ? undefined : 'there is no prlimit';
}
