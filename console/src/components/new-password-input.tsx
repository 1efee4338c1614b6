import { SecretInput } from './secret-input';

interface NewPasswordInputProps {
  readonly label?: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
  /** The server's message. */
  readonly error: string | undefined;
}

/** With the rules. Password managers propose a password here. */
export function NewPasswordInput({ label = 'Password', value, onValue, error }: NewPasswordInputProps) {
  return (
    <SecretInput
      what={label.toLowerCase()}
      label={label}
      description="At least 12 characters, 5 of them different. Some words that only you put together are easy to remember."
      name="new-password"
      autoComplete="new-password"
      value={value}
      onChange={(event) => onValue(event.currentTarget.value)}
      error={error}
    />
  );
}
