import { useState } from 'react';
import { fieldError, otherError } from '../../api/field-error';
import { type Settings, useChangeSettings } from '../../api/settings';

export type RuleDraft<T extends string> = ReturnType<typeof useRuleDraft<T>>;

/** An unsaved choice for a rule. It is saved only after confirmation. */
export function useRuleDraft<T extends string>(
  field: 'account_ids' | 'undeclared_fields',
  current: T & Settings[typeof field],
) {
  const [draft, setDraft] = useState<T>();
  const change = useChangeSettings();
  const cancel = () => setDraft(undefined);
  return {
    chosen: draft ?? current,
    /** Undefined if it equals the saved value. */
    draft,
    choose: (value: T) => {
      change.reset();
      setDraft(value === current ? undefined : value);
    },
    fieldError: fieldError(change.error, field),
    otherError: otherError(change.error, [field]),
    saved: change.data?.[field] as T | undefined,
    question: {
      isSaving: change.isPending,
      onConfirm: () => change.mutate({ [field]: draft }, { onSuccess: cancel }),
      onCancel: cancel,
    },
  };
}
