import { Alert, Button, Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Problem } from '../api/call';

interface ErrorStateProps {
  readonly error: Error;
  readonly retry?: () => void;
}

/** What went wrong, by which name the log knows it, and a way to try again where that may help. */
export function ErrorState({ error, retry }: ErrorStateProps) {
  const isFinal = error instanceof Problem && !error.isPassing;
  const requestId = error instanceof Problem ? error.requestId : undefined;
  const errors = error instanceof Problem ? error.errors : [];
  return (
    <Alert
      color="red"
      variant="light"
      icon={<IconAlertTriangle aria-hidden />}
      title="This did not work"
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
