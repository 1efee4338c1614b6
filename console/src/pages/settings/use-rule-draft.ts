import { useState } from 'react';
import { fieldProblem, otherProblem } from '../../api/field-problem';
import { type Settings, useChangeSettings } from '../../api/settings';

export type RuleDraft<T extends string> = ReturnType<typeof useRuleDraft<T>>;

/** A rule that may be chosen anew: nothing is saved before it is confirmed. */
export function useRuleDraft<T extends string>(
  field: 'account_ids' | 'undeclared_fields',
  current: T & Settings[typeof field],
) {
  const [draft, setDraft] = useState<T>();
  const change = useChangeSettings();
  const cancel = () => setDraft(undefined);
  return {
    chosen: draft ?? current,
    /** Undefined where it is as it is saved. */
    draft,
    choose: (value: T) => {
      change.reset();
      setDraft(value === current ? undefined : value);
    },
    fieldError: fieldProblem(change.error, field),
    otherError: otherProblem(change.error, [field]),
    saved: change.data?.[field] as T | undefined,
    question: {
      isSaving: change.isPending,
      onConfirm: () => change.mutate({ [field]: draft }, { onSuccess: cancel }),
      onCancel: cancel,
    },
  };
}
