import { Alert, Button, Group, Text } from '@mantine/core';
import { ApiError } from '../../../api/call';
import { IconAlertTriangle } from '../../../icons/icons.js';

interface UndoProblemProps {
  readonly error: Error;
  /** False for a preview. */
  readonly isUndoing: boolean;
  readonly onRetry: () => void;
}

/** Why a preview or an undo has ended, and what to do. What an undo has taken back stays so. */
export function UndoProblem({ error, isUndoing, onRetry }: UndoProblemProps) {
  const mayRetry = !(error instanceof ApiError) || error.isTransient;
  const requestId = error instanceof ApiError ? error.requestId : undefined;
  return (
    <Alert
      color="red"
      variant="light"
      role="alert"
      icon={<IconAlertTriangle aria-hidden />}
      title={isUndoing ? 'The undo is not complete' : 'There is no preview'}
    >
      <Text size="sm" className="breakable">
        {error.message}
        {mayRetry &&
          (isUndoing
            ? ' What is taken back so far stays so. Continue now, or later on the page of the run.'
            : ' Nothing was stored. Try again.')}
      </Text>
      <Group mt="xs" gap="sm">
        {mayRetry && (
          <Button size="xs" variant="default" onClick={onRetry}>
            {isUndoing ? 'Continue' : 'Try again'}
          </Button>
        )}
        {requestId !== undefined && (
          <Text size="xs" c="dimmed">
            Request {requestId}
          </Text>
        )}
      </Group>
    </Alert>
  );
}
