import type { MissingAccounts, Run } from '@account-sync/client';
import { formatNumber, plural } from '../../components/format';

/** What a run does with missing accounts, or how many there are once they are counted. */
export function missingText({ state, archived }: Run, { action, accounts, of }: MissingAccounts): string {
  if (accounts === null || of === null) {
    if (state !== 'open') return 'Asked for missing accounts, which were not counted';
    return action === 'archive'
      ? 'Asks for missing accounts, which are archived when it is finished'
      : 'Asks for missing accounts, which are only counted';
  }
  const all = `${plural(of, 'account')} of this source`;
  if (accounts === 0) return `None of ${all} is missing`;
  const share = `${formatNumber(accounts)} of ${all}`;
  if (action === 'report') return `${share} ${accounts === 1 ? 'is' : 'are'} missing`;
  const which = archived < accounts ? `${formatNumber(archived)} of them ` : '';
  return `${share} ${accounts === 1 ? 'was' : 'were'} missing, and ${which}archived`;
}
