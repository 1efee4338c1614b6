import { type InputWrapperProps, NativeSelect, Textarea, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Control, EnteredField } from './value-control';

interface ValueInputProps {
  readonly field: EnteredField;
  readonly control: Control;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly label?: string;
  readonly description?: ReactNode;
  readonly error?: ReactNode;
  readonly disabled?: boolean;
}

const ORDER: NonNullable<InputWrapperProps['inputWrapperOrder']> = ['label', 'input', 'error', 'description'];

/** The input of a value, by its type. */
export function ValueInput(props: ValueInputProps) {
  const { field, control, text, onText, label = field.name, description, error, disabled = false } = props;
  const input = {
    name: field.name,
    label,
    description: description ?? hintOf(field.name, control),
    // Below the input, so that the inputs of a row are at the same height.
    inputWrapperOrder: ORDER,
    error,
    value: text,
    onChange: (event: { currentTarget: { value: string } }) => onText(event.currentTarget.value),
    disabled,
    autoComplete: 'off',
    spellCheck: false,
  };
  if (control === 'select') return <NativeSelect {...input} data={choicesOf(field)} />;
  if (control === 'text') return <Textarea {...input} autosize minRows={1} maxRows={10} />;
  return <TextInput {...input} {...inputTypeOf(control, field)} />;
}

/** Not `type="number"`: such an input rounds, and changes the number when the wheel is turned. */
function inputTypeOf(control: Control, { type }: EnteredField) {
  if (control === 'number') return { inputMode: type === 'integer' ? 'numeric' : 'decimal' } as const;
  if (control === 'date') return { type: 'date' };
  return control === 'datetime-local' ? { type: 'datetime-local', step: 1 } : {};
}

function choicesOf({ type, choices }: EnteredField): { value: string; label: string }[] {
  const offered =
    type === 'boolean'
      ? [
          { value: 'true', label: 'Yes' },
          { value: 'false', label: 'No' },
        ]
      : choices.map((choice) => ({ value: choice, label: choice }));
  return [{ value: '', label: 'No value' }, ...offered];
}

function hintOf(name: string, control: Control): string | undefined {
  if (name === 'parent_account_id') return 'The id of the parent account.';
  return control === 'datetime-local' ? 'In UTC, not in your time zone.' : undefined;
}
