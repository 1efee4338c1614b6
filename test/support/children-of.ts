import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

export function childrenOf(pid: number): number[] {
  // Minimal Linux containers have no `pgrep`.
  const listed =
    process.platform === 'linux'
      ? readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      : execFileSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' });
  return (listed.match(/\d+/g) ?? []).map(Number);
}
