import { PasswordInput, type PasswordInputProps } from '@mantine/core';

interface SecretInputProps extends PasswordInputProps {
  /** Such as “password” or “key”. */
  readonly what: string;
}

/** A required password or key, which is shown on request. */
export function SecretInput({ what, ...props }: SecretInputProps) {
  return (
    <PasswordInput
      required
      withAsterisk={false}
      spellCheck={false}
      visibilityToggleButtonProps={{ 'aria-label': `Show or hide the ${what}`, tabIndex: 0 }}
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      {...props}
    />
  );
}
