import { type InputWrapperProps, NativeSelect, Textarea, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Control, EnteredField } from './value-control';

interface ValueInputProps {
  readonly field: EnteredField;
  readonly control: Control;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly label?: string;
  readonly description: ReactNode;
  readonly error: string | undefined;
  readonly disabled?: boolean;
  /** Whether it has the focus when its dialog opens. */
  readonly isFirst?: boolean;
  /** The text of the stored value, which a select offers even if it is none of the choices. */
  readonly stored?: string;
  /** Whether it cannot be left empty, because the value is cleared in another way. */
  readonly isRequired?: boolean;
}

const ORDER: NonNullable<InputWrapperProps['inputWrapperOrder']> = ['label', 'input', 'error', 'description'];

/** The input of a value, by its type. */
export function ValueInput(props: ValueInputProps) {
  const { field, control, text, onText, label = field.name, stored = '' } = props;
  const { description, error, disabled = false, isFirst = false, isRequired = false } = props;
  const input = {
    name: field.name,
    label,
    description,
    // Below the input, so that the inputs of a row are at the same height.
    inputWrapperOrder: ORDER,
    error,
    value: text,
    onChange: (event: { currentTarget: { value: string } }) => onText(event.currentTarget.value),
    disabled,
    ...(disabled && { styles: { input: { opacity: 1, color: 'var(--mantine-color-dimmed)' } } }),
    autoComplete: 'off',
    spellCheck: false,
    'data-autofocus': isFirst || undefined,
  };
  if (control === 'select') return <NativeSelect {...input} data={choicesOf(field, stored, isRequired)} />;
  if (control === 'text') return <Textarea {...input} autosize minRows={1} maxRows={10} />;
  return <TextInput {...input} {...inputTypeOf(control, field)} />;
}

/** Not `type="number"`: such an input rounds, and changes the number when the wheel is turned. */
function inputTypeOf(control: Control, { type }: EnteredField) {
  if (control === 'number') return { inputMode: type === 'integer' ? 'numeric' : 'decimal' } as const;
  if (control === 'date') return { type: 'date' };
  return control === 'datetime-local' ? { type: 'datetime-local', step: 1 } : {};
}

function choicesOf({ type, choices }: EnteredField, stored: string, isRequired: boolean) {
  const offered =
    type === 'boolean'
      ? [
          { value: 'true', label: 'Yes' },
          { value: 'false', label: 'No' },
        ]
      : choices.map((choice) => ({ value: choice, label: choice }));
  const isListed = stored === '' || offered.some(({ value }) => value === stored);
  return [
    isRequired ? { value: '', label: 'Select', disabled: true } : { value: '', label: 'No value' },
    ...offered,
    ...(isListed ? [] : [{ value: stored, label: stored }]),
  ];
}

/** What there is to know about how the value is entered. */
export function hintOf(name: string, control: Control, { isRequired = false } = {}): string | undefined {
  if (name === 'parent_account_id')
    return `The id of the parent account.${isRequired ? '' : ' Empty: no parent.'}`;
  return control === 'datetime-local' ? 'In UTC, not in your time zone.' : undefined;
}
