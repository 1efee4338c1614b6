import { Alert, Box, Text } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useStatus } from '../api/status';
import { formatLocal } from '../parts/format';
import css from './server-away.module.css';

/** Over every page, and wherever it is scrolled to, while the server does not answer: what is shown is old. */
export function ServerAway() {
  const { isAway, error, dataUpdatedAt } = useStatus();
  const queries = useQueryClient();
  useEffect(() => {
    if (!isAway) return;
    // Once it answers again, everything is asked for anew: pages that do not ask by themselves included.
    return () => {
      queries.invalidateQueries();
    };
  }, [isAway, queries]);
  const lastAnswer = dataUpdatedAt === 0 ? undefined : formatLocal(new Date(dataUpdatedAt).toISOString());
  return (
    <Box role="alert" className={css.place}>
      {isAway && (
        <Alert
          role="none"
          color="red"
          variant="light"
          mb="md"
          icon={<IconPlugConnectedX aria-hidden />}
          title={lastAnswer === undefined ? 'No answer' : `No answer since ${lastAnswer}`}
        >
          <Text size="sm">
            {error?.message ?? 'The server does not answer.'}{' '}
            {lastAnswer !== undefined && 'What is shown on this page is as of then. '}
            The server is asked again every few seconds, and the page goes on by itself.
          </Text>
        </Alert>
      )}
    </Box>
  );
}
