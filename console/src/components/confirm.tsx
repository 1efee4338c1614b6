import { Button, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { ErrorState } from './error-state';

interface ConfirmProps {
  /** Of the button. */
  readonly action: string;
  /** Whether it takes something away that does not come back by itself. */
  readonly isDestructive?: boolean;
  readonly change: { readonly error: Error | null; readonly isPending: boolean };
  readonly onConfirm: () => void;
  readonly onCancel: () => void;
  /** What it means. */
  readonly children: ReactNode;
}

/** Asks before an action. */
export function Confirm(props: ConfirmProps) {
  const { action, isDestructive = false, change, onConfirm, onCancel, children } = props;
  return (
    <Stack>
      <Text size="sm" component="div" className="breakable">
        {children}
      </Text>
      {change.error !== null && <ErrorState error={change.error} />}
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onCancel} data-autofocus>
          Cancel
        </Button>
        <Button {...(isDestructive && { color: 'red.9' })} onClick={onConfirm} loading={change.isPending}>
          {action}
        </Button>
      </Group>
    </Stack>
  );
}
