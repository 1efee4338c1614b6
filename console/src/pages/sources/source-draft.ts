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
}

export const NEW_SOURCE: SourceDraft = {
  name: '',
  label: '',
  isExpected: false,
  every: { amount: 1, unit: 'days' },
  grace: { amount: 2, unit: 'hours' },
};

export function draftOf({ name, label, expect_every_seconds, grace_seconds }: Source): SourceDraft {
  if (expect_every_seconds === null) return { ...NEW_SOURCE, name, label };
  const every = intervalOf(expect_every_seconds);
  return { name, label, isExpected: true, every, grace: intervalOf(grace_seconds) };
}

/** The draft as a request body. A new source without a label gets its name as the label. */
export function changesOf({ label, isExpected, every, grace }: SourceDraft, isNew: boolean): SourceChanges {
  const text = label.trim();
  return {
    ...((text !== '' || !isNew) && { label: text }),
    expect_every_seconds: isExpected ? secondsOf(every) : null,
    ...(isExpected && { grace_seconds: secondsOf(grace) }),
  };
}

export function isComplete({ name, isExpected, every, grace }: SourceDraft): boolean {
  return name !== '' && (!isExpected || (every.amount !== '' && grace.amount !== ''));
}

/** The API has whole seconds. */
function secondsOf({ amount, unit }: EnteredInterval): number {
  return Math.round(Number(amount) * INTERVAL_UNITS[unit]);
}
