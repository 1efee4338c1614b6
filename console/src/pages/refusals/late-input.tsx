import { TextInput, type TextInputProps } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';

interface LateInputProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  readonly value: string;
  readonly onValue: (value: string) => void;
}

/** Tells what is typed once there is a pause, and takes on what is changed elsewhere. */
export function LateInput({ value, onValue, ...props }: LateInputProps) {
  const [text, setText] = useState(value);
  const [told, setTold] = useState(value);
  if (value !== told) {
    setTold(value);
    setText(value);
  }
  const tell = useDebouncedCallback((next: string) => {
    setTold(next);
    onValue(next);
  }, 250);
  return (
    <TextInput
      {...props}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        tell(event.currentTarget.value);
      }}
    />
  );
}
