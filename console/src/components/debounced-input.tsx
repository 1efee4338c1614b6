import { CloseButton, TextInput, type TextInputProps } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { type RefObject, useRef, useState } from 'react';

interface DebouncedInputProps extends Omit<TextInputProps, 'value' | 'onChange' | 'ref'> {
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly field?: RefObject<HTMLInputElement | null>;
}

/** Reports the text after a pause in typing, and follows external changes of the value. Escape clears it. */
export function DebouncedInput({ value, onValue, field, rightSection, ...props }: DebouncedInputProps) {
  const own = useRef<HTMLInputElement>(null);
  const input = field ?? own;
  const [text, setText] = useState(value);
  const [reported, setReported] = useState(value);
  const report = useDebouncedCallback((next: string) => {
    setReported(next);
    onValue(next);
  }, 250);
  // The browser's back button, a link, or clearing all filters can change the value from outside.
  if (value !== reported) {
    report.cancel();
    setReported(value);
    setText(value);
  }
  const change = (next: string) => {
    setText(next);
    report(next);
  };
  const clear = () => {
    change('');
    report.flush();
    input.current?.focus();
  };
  return (
    <TextInput
      autoComplete="off"
      spellCheck={false}
      {...props}
      ref={input}
      value={text}
      onChange={(event) => change(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') clear();
        if (event.key === 'Enter') report.flush();
      }}
      rightSection={text === '' ? rightSection : <CloseButton size="sm" aria-label="Clear" onClick={clear} />}
    />
  );
}
