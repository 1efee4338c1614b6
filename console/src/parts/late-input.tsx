import { CloseButton, TextInput, type TextInputProps } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { type RefObject, useRef, useState } from 'react';

interface LateInputProps extends Omit<TextInputProps, 'value' | 'onChange' | 'ref'> {
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly field?: RefObject<HTMLInputElement | null>;
}

/** Tells what is typed once there is a pause, and takes on what is changed elsewhere; Escape empties it. */
export function LateInput({ value, onValue, field, rightSection, ...props }: LateInputProps) {
  const own = useRef<HTMLInputElement>(null);
  const input = field ?? own;
  const [text, setText] = useState(value);
  const [told, setTold] = useState(value);
  const tell = useDebouncedCallback((next: string) => {
    setTold(next);
    onValue(next);
  }, 250);
  // By the browser's buttons, a link, or what clears all filters.
  if (value !== told) {
    tell.cancel();
    setTold(value);
    setText(value);
  }
  const write = (next: string) => {
    setText(next);
    tell(next);
  };
  const clear = () => {
    write('');
    tell.flush();
    input.current?.focus();
  };
  return (
    <TextInput
      autoComplete="off"
      spellCheck={false}
      {...props}
      ref={input}
      value={text}
      onChange={(event) => write(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') clear();
        if (event.key === 'Enter') tell.flush();
      }}
      rightSection={text === '' ? rightSection : <CloseButton size="sm" aria-label="Clear" onClick={clear} />}
    />
  );
}
