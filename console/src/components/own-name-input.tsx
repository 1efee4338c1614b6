import { TextInput, type TextInputProps } from '@mantine/core';

interface OwnNameInputProps extends Pick<TextInputProps, 'label' | 'description' | 'error' | 'autoFocus'> {
  readonly value: string;
  readonly onValue: (value: string) => void;
}

/** The name of the person who fills in the form, as others see it. */
export function OwnNameInput({ onValue, ...props }: OwnNameInputProps) {
  return (
    <TextInput
      {...props}
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      name="name"
      autoComplete="name"
      onChange={(event) => onValue(event.currentTarget.value)}
      maxLength={200}
      required
      withAsterisk={false}
    />
  );
}
