import { Alert, Button, Group, Text } from '@mantine/core';
import { ApiError } from '../api/call';
import { IconAlertTriangle } from '../icons/icons.js';

interface ErrorStateProps {
  readonly error: Error;
  readonly retry?: () => void;
}

/** The error, its request id for a search in the server log, and a retry button if a retry may help. */
export function ErrorState({ error, retry }: ErrorStateProps) {
  const isFinal = error instanceof ApiError && !error.isTransient;
  const requestId = error instanceof ApiError ? error.requestId : undefined;
  const errors = error instanceof ApiError ? error.errors : [];
  return (
    <Alert
      color="red"
      variant="light"
      icon={<IconAlertTriangle aria-hidden />}
      title="Something went wrong"
      role="alert"
    >
      <Text size="sm" className="breakable">
        {error.message}
      </Text>
      {errors.map(({ pointer, detail }) => (
        <Text key={pointer + detail} size="sm" className="breakable">
          {pointer.split('/').at(-1)}: {detail}
        </Text>
      ))}
      <Group mt="xs" gap="sm">
        {retry !== undefined && !isFinal && (
          <Button size="xs" variant="default" onClick={retry}>
            Try again
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
