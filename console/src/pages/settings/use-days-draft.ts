import { useState } from 'react';
import { fieldProblem, otherProblem } from '../../api/field-problem';
import { useChangeSettings } from '../../api/settings';

export interface DaysSetting {
  readonly field: 'history_days' | 'rejection_days';
  /** Null where no number of days is set. */
  readonly current: number | null;
  readonly most: number;
}

/** A number of days, as text for as long as it is written; nothing is saved before it is confirmed. */
export function useDaysDraft({ field, current, most }: DaysSetting) {
  const [draft, setDraft] = useState<string | null>();
  const change = useChangeSettings();
  const written = draft === undefined ? textOf(current) : draft;
  const days = written === null ? null : readDays(written, most);
  const cancel = () => setDraft(undefined);
  return {
    /** Null where none is wanted. */
    written,
    write: (text: string | null) => {
      change.reset();
      setDraft(text);
    },
    /** Undefined where it is as it is saved, or no number that can be. */
    chosen: days === current ? undefined : days,
    fieldError:
      days === undefined ? `Give a whole number from 1 to ${most}.` : fieldProblem(change.error, field),
    otherError: otherProblem(change.error, [field]),
    saved: change.data?.[field],
    question: {
      isSaving: change.isPending,
      onConfirm: () => change.mutate({ [field]: days }, { onSuccess: cancel }),
      onCancel: cancel,
    },
  };
}

function textOf(days: number | null): string | null {
  return days === null ? null : String(days);
}

function readDays(text: string, most: number): number | undefined {
  const days = /^\d+$/.test(text.trim()) ? Number(text) : Number.NaN;
  return days >= 1 && days <= most ? days : undefined;
}
