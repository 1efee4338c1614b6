import type { Source } from '@account-sync/client';
import type { SourceChanges } from '../../api/sources';
import { INTERVAL_UNITS, type IntervalUnit, intervalOf } from '../../components/duration';

/** An interval as it is entered: the amount may be empty. */
export interface EnteredInterval {
  readonly amount: number | string;
  readonly unit: IntervalUnit;
}

export interface SourceDraft {
  readonly name: string;
  readonly label: string;
  readonly isExpected: boolean;
  readonly every: EnteredInterval;
  readonly grace: EnteredInterval;
  readonly isTracked: boolean;
}

export const NEW_SOURCE: SourceDraft = {
  name: '',
  label: '',
  isExpected: false,
  every: { amount: 1, unit: 'days' },
  grace: { amount: 2, unit: 'hours' },
  isTracked: false,
};

export function draftOf(source: Source): SourceDraft {
  const { name, label, expect_every_seconds, grace_seconds, is_tracked: isTracked } = source;
  if (expect_every_seconds === null) return { ...NEW_SOURCE, name, label, isTracked };
  const every = intervalOf(expect_every_seconds);
  return { name, label, isExpected: true, every, grace: intervalOf(grace_seconds), isTracked };
}

/**
 * The draft as a request body. `source` is undefined for a new one, which gets its name as the label if it has none.
 * `is_tracked` is left out unless it was changed: a run may have turned it on since the source was read.
 */
export function changesOf(draft: SourceDraft, source: Source | undefined): SourceChanges {
  const { label, isExpected, every, grace, isTracked } = draft;
  const text = label.trim();
  return {
    ...((text !== '' || source !== undefined) && { label: text }),
    expect_every_seconds: isExpected ? secondsOf(every) : null,
    ...(isExpected && { grace_seconds: secondsOf(grace) }),
    ...(isTracked !== (source?.is_tracked ?? false) && { is_tracked: isTracked }),
  };
}

export function isComplete({ name, isExpected, every, grace }: SourceDraft): boolean {
  return name !== '' && (!isExpected || (every.amount !== '' && grace.amount !== ''));
}

/** The API has whole seconds. */
function secondsOf({ amount, unit }: EnteredInterval): number {
  return Math.round(Number(amount) * INTERVAL_UNITS[unit]);
}
