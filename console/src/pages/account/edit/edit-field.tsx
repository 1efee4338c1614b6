import type { Attribute, Json } from '@account-sync/client';
import { Anchor, type InputWrapperProps, NativeSelect, Textarea, TextInput } from '@mantine/core';
import type { MouseEvent, ReactNode } from 'react';
import { useFields } from '../../../api/attributes';
import { useSourceLabel } from '../../../api/sources';
import { IconAlertTriangle } from '../../../icons/icons.js';
import { OneValue } from '../field-change-line';
import {
  type AccountDraft,
  type Control,
  controlOf,
  isChanged,
  storedText,
  storedValue,
  textOf,
} from './account-draft';

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

const ORDER: NonNullable<InputWrapperProps['inputWrapperOrder']> = ['label', 'input', 'error', 'description'];

/** The input of one field, by its type. */
export function EditField(props: EditFieldProps) {
  const { field, draft, onText, isLocked, isFirst, error } = props;
  const { label } = useFields()(field.name);
  const stored = storedValue(draft.base, field.name);
  const control = controlOf(field, stored);
  const input = {
    name: field.name,
    label: field.unit === null ? label : `${label} (${field.unit})`,
    description: useNotes(props, control),
    // Below the input, so that the inputs of a row are at the same height.
    inputWrapperOrder: ORDER,
    error,
    value: textOf(draft, field),
    onChange: (event: { currentTarget: { value: string } }) => onText(field, event.currentTarget.value),
    disabled: isLocked,
    ...(isLocked && { styles: { input: { opacity: 1, color: 'var(--mantine-color-dimmed)' } } }),
    autoComplete: 'off',
    spellCheck: false,
    'data-autofocus': isFirst || undefined,
  };
  if (control === 'select') return <NativeSelect {...input} data={choicesOf(field, stored)} />;
  if (control === 'text') return <Textarea {...input} autosize minRows={1} maxRows={10} />;
  return <TextInput {...input} {...inputTypeOf(control, field)} />;
}

/** Not `type="number"`: such an input rounds, and changes the number when the wheel is turned. */
function inputTypeOf(control: Control, { type }: Attribute) {
  if (control === 'number') return { inputMode: type === 'integer' ? 'numeric' : 'decimal' } as const;
  if (control === 'date') return { type: 'date' };
  return control === 'datetime-local' ? { type: 'datetime-local', step: 1 } : {};
}

/** The choices of a select, with the stored value if it is none of them. */
function choicesOf(field: Attribute, stored: Json): { value: string; label: string }[] {
  const choices =
    field.type === 'boolean'
      ? [
          { value: 'true', label: 'Yes' },
          { value: 'false', label: 'No' },
        ]
      : field.choices.map((choice) => ({ value: choice, label: choice }));
  const text = storedText(field, stored);
  const isListed = text === '' || choices.some(({ value }) => value === text);
  return [{ value: '', label: 'No value' }, ...choices, ...(isListed ? [] : [{ value: text, label: text }])];
}

/** What there is to know about the field before it is changed. */
function useNotes({ field, draft, onText, isLocked }: EditFieldProps, control: Control): ReactNode {
  const labelOf = useSourceLabel();
  const { label } = useFields()(field.name);
  const { name, owner, description } = field;
  if (isLocked && owner !== null) return `Owned by ${labelOf(owner.source)}, so only that source changes it.`;
  const isOvertaken = draft.previous.has(name) && isChanged(draft, field);
  const hint = [description, hintOf(name, control)].filter((part) => part != null).join(' · ') || undefined;
  if (!isOvertaken) return hint;
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

function hintOf(name: string, control: Control): string | undefined {
  if (name === 'parent_account_id') return 'The id of the parent account. Empty: no parent.';
  return control === 'datetime-local' ? 'In UTC, not in your time zone.' : undefined;
}
