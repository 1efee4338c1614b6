import { Button, Group, Paper, Text } from '@mantine/core';
import type { ReactNode } from 'react';

export interface Question {
  readonly isSaving: boolean;
  readonly onConfirm: () => void;
  readonly onCancel: () => void;
}

interface ConfirmChoiceProps extends Question {
  readonly action: string;
  /** Whether the button is disabled until the consequences are known. */
  readonly mustWait?: boolean;
  readonly children: ReactNode;
}

/** Describes the consequences of an unsaved choice and asks for confirmation. */
export function ConfirmChoice(props: ConfirmChoiceProps) {
  const { action, isSaving, mustWait = false, onConfirm, onCancel, children } = props;
  return (
    <Paper p="md" mt="md" bg="var(--mantine-color-default)" role="group" aria-label="Not saved yet">
      <Text size="sm" component="div" className="breakable" aria-live="polite">
        {children}
      </Text>
      <Group mt="md" gap="sm">
        <Button onClick={onConfirm} loading={isSaving} disabled={mustWait}>
          {action}
        </Button>
        <Button variant="default" onClick={onCancel} disabled={isSaving}>
          Cancel
        </Button>
      </Group>
    </Paper>
  );
}
