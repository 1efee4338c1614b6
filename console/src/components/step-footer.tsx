import { Button, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './step-footer.module.css';

export interface Leaving {
  /** Whether the person tries to leave with unsaved changes. */
  readonly isAsking: boolean;
  readonly onLeave: () => void;
  readonly onDiscard: () => void;
  readonly onStay: () => void;
}

interface StepFooterProps {
  readonly leaving: Leaving;
  /** Why the step does not go on. */
  readonly message?: ReactNode;
  readonly children: ReactNode;
}

/**
 * The buttons of a step, which stay visible below long contents. Messages are above them, where the person looks. Asks
 * before unsaved changes are discarded.
 */
export function StepFooter({ leaving, message, children }: StepFooterProps) {
  return (
    <div className={styles.footer}>
      <div role="status" className={styles.message}>
        {message}
      </div>
      <Group justify="flex-end" gap="sm">
        {leaving.isAsking ? (
          <>
            <Text size="sm" role="alert" flex="1 1 14rem">
              Your changes are not saved.
            </Text>
            <Button variant="default" onClick={leaving.onDiscard}>
              Discard changes
            </Button>
            <Button onClick={leaving.onStay} autoFocus>
              Keep editing
            </Button>
          </>
        ) : (
          children
        )}
      </Group>
    </div>
  );
}
