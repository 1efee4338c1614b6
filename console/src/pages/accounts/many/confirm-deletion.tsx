import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { formatNumber } from '../../../components/format';

interface ConfirmDeletionProps {
  readonly accounts: number;
  readonly onConfirmed: (isConfirmed: boolean) => void;
}

/** Like the deletion of one account, which asks for its id. */
export function ConfirmDeletion({ accounts, onConfirmed }: ConfirmDeletionProps) {
  const [typed, setTyped] = useState('');
  const change = (text: string) => {
    setTyped(text);
    // With or without separators.
    onConfirmed(text.trim() === String(accounts) || text.trim() === formatNumber(accounts));
  };
  return (
    <TextInput
      label="Type the number of accounts to confirm"
      description={formatNumber(accounts)}
      value={typed}
      onChange={(event) => change(event.currentTarget.value)}
      inputMode="numeric"
      autoComplete="off"
      spellCheck={false}
      autoFocus
    />
  );
}
