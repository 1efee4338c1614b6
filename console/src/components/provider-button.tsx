import { Button, type ButtonProps } from '@mantine/core';
import { leaveToSignIn } from '../api/session';
import { providerSignIn } from '../api/sign-in';

interface ProviderButtonProps extends ButtonProps {
  /** Name of the identity provider. */
  readonly name: string;
  /** Path of the console, with its query. */
  readonly returnTo: string;
}

/** A link to sign in at the identity provider. */
export function ProviderButton({ name, returnTo, ...props }: ProviderButtonProps) {
  return (
    <Button
      component="a"
      href={providerSignIn(returnTo)}
      fullWidth
      onClick={leaveToSignIn}
      // In a new tab, with the middle button of the mouse.
      onAuxClick={leaveToSignIn}
      {...props}
    >
      Sign in with {name}
    </Button>
  );
}
