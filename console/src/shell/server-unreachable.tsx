import { Alert, Box, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useStatus } from '../api/status';
import { formatLocal } from '../components/format';
import { IconPlugConnectedX } from '../icons/icons.js';
import css from './server-unreachable.module.css';

/** Alert above every page, also while scrolling, as long as the server does not respond. */
export function ServerUnreachable() {
  const { isUnreachable, error, dataUpdatedAt } = useStatus();
  const queries = useQueryClient();
  useEffect(() => {
    if (!isUnreachable) return;
    // When the server responds again, refetch everything, including pages that do not poll.
    return () => {
      queries.invalidateQueries();
    };
  }, [isUnreachable, queries]);
  const lastResponse = dataUpdatedAt === 0 ? undefined : formatLocal(new Date(dataUpdatedAt).toISOString());
  return (
    <Box role="alert" className={css.place}>
      {isUnreachable && (
        <Alert
          role="none"
          color="red"
          variant="light"
          mb="md"
          icon={<IconPlugConnectedX aria-hidden />}
          title={
            lastResponse === undefined
              ? 'No response from the server'
              : `No response from the server since ${lastResponse}`
          }
        >
          <Text size="sm">
            {error?.message ?? 'The server does not respond.'}{' '}
            {lastResponse !== undefined && 'This page shows the data of that time. '}
            The console tries again every few seconds and then updates this page.
          </Text>
        </Alert>
      )}
    </Box>
  );
}
