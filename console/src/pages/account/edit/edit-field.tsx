import type { Attribute } from '@account-sync/client';
import { Anchor } from '@mantine/core';
import type { MouseEvent, ReactNode } from 'react';
import { useFields } from '../../../api/attributes';
import { useSourceLabel } from '../../../api/sources';
import type { Control } from '../../../components/value-control';
import { hintOf, ValueInput } from '../../../components/value-input';
import { IconAlertTriangle } from '../../../icons/icons.js';
import { OneValue } from '../field-change-line';
import { type AccountDraft, controlOf, isOvertaken, storedText, storedValue, textOf } from './account-draft';

interface EditFieldProps {
  readonly field: Attribute;
  readonly draft: AccountDraft;
  /** Undefined: the stored value again. */
  readonly onText: (field: Attribute, text: string | undefined) => void;
  /** Whether another source owns it, so that it cannot be edited. */
  readonly isLocked: boolean;
  /** Whether it has the focus when the dialog opens. */
  readonly isFirst: boolean;
  readonly error: string | undefined;
}

/** The input of one field, by its type. */
export function EditField(props: EditFieldProps) {
  const { field, draft, onText, isLocked, isFirst, error } = props;
  const { label } = useFields()(field.name);
  const stored = storedValue(draft.base, field.name);
  const control = controlOf(field, stored);
  return (
    <ValueInput
      field={field}
      control={control}
      label={field.unit === null ? label : `${label} (${field.unit})`}
      text={textOf(draft, field)}
      onText={(text) => onText(field, text)}
      description={useNotes(props, control)}
      error={error}
      disabled={isLocked}
      isFirst={isFirst}
      stored={storedText(field, stored)}
    />
  );
}

/** What there is to know about the field before it is changed. */
function useNotes({ field, draft, onText, isLocked }: EditFieldProps, control: Control): ReactNode {
  const labelOf = useSourceLabel();
  const { label } = useFields()(field.name);
  const { name, owner, description } = field;
  if (isLocked && owner !== null) return `Owned by ${labelOf(owner.source)}, so only that source changes it.`;
  const hint = [description, hintOf(name, control)].filter((part) => part != null).join(' · ') || undefined;
  if (!isOvertaken(draft, field)) return hint;
  const restore = (event: MouseEvent<HTMLElement>) => {
    document.getElementsByName(event.currentTarget.dataset.field ?? '')[0]?.focus();
    onText(field, undefined);
  };
  return (
    <>
      {hint}{' '}
      <IconAlertTriangle
        size={14}
        aria-hidden
        color="var(--mantine-color-orange-6)"
        style={{ verticalAlign: -2, marginInlineEnd: 3 }}
      />
      Changed by others meanwhile, from <OneValue field={name} value={draft.previous.get(name) ?? null} /> to{' '}
      <OneValue field={name} value={storedValue(draft.base, name)} />. The form has your value.{' '}
      <Anchor
        component="button"
        type="button"
        inherit
        underline="always"
        data-field={name}
        aria-label={`Use the current value of ${label}`}
        onClick={restore}
      >
        Use the current value
      </Anchor>
    </>
  );
}
