import { useState } from 'react';
import { fieldError, otherError } from '../../api/field-error';
import { useChangeSettings } from '../../api/settings';

export interface DaysSetting {
  readonly field: 'history_days' | 'rejection_days';
  /** Null if no number of days is set. */
  readonly current: number | null;
  readonly max: number;
}

/** An unsaved number of days, as text while it is typed. It is saved only after confirmation. */
export function useDaysDraft({ field, current, max }: DaysSetting) {
  const [draft, setDraft] = useState<string | null>();
  const change = useChangeSettings();
  const written = draft === undefined ? textOf(current) : draft;
  const days = written === null ? null : readDays(written, max);
  const cancel = () => setDraft(undefined);
  return {
    /** Null if the option without a number is selected. */
    text: written,
    setText: (text: string | null) => {
      change.reset();
      setDraft(text);
    },
    /** Undefined if it equals the saved value or is invalid. */
    chosen: days === current ? undefined : days,
    fieldError:
      days === undefined ? `Enter a whole number from 1 to ${max}.` : fieldError(change.error, field),
    otherError: otherError(change.error, [field]),
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

function readDays(text: string, max: number): number | undefined {
  const days = /^\d+$/.test(text.trim()) ? Number(text) : Number.NaN;
  return days >= 1 && days <= max ? days : undefined;
}
