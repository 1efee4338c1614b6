import { Alert, Box, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { StatusLine } from '../../components/status-line';
import { IconAlertTriangle } from '../../icons/icons.js';
import type { Reading } from './read-input';

interface ResponsePanelProps {
  /** The current content of the editor. */
  readonly reading: Reading;
  /** Whether the editor has changed since the request. */
  readonly isOutdated: boolean;
  readonly children: ReactNode;
}

/** Marks a response as outdated when the records have changed, and hides it while they are not valid JSON. */
export function ResponsePanel({ reading, isOutdated, children }: ResponsePanelProps) {
  if (reading !== undefined && 'problem' in reading) {
    return (
      <Alert
        color="red"
        variant="light"
        icon={<IconAlertTriangle aria-hidden />}
        title="No response: the records are not valid JSON"
      >
        <Text size="sm">Correct the error that is shown in the editor, then validate or send again.</Text>
      </Alert>
    );
  }
  return (
    <>
      {isOutdated && (
        <Box mb="sm">
          <StatusLine isWarning>
            The records have changed since then. This response is for the previous version.
          </StatusLine>
        </Box>
      )}
      {children}
    </>
  );
}
