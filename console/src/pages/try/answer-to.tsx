import { Alert, Box, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Sign } from '../../parts/sign';
import type { Reading } from './read-input';

interface AnswerToProps {
  /** What is in the editor now. */
  readonly reading: Reading;
  /** Whether the answer is to something else. */
  readonly isOutdated: boolean;
  readonly children: ReactNode;
}

/** An answer beside records that it does not belong to says so, and beside what cannot be sent there is none. */
export function AnswerTo({ reading, isOutdated, children }: AnswerToProps) {
  if (reading !== undefined && 'problem' in reading) {
    return (
      <Alert
        color="red"
        variant="light"
        icon={<IconAlertTriangle aria-hidden />}
        title="No answer: this is not valid JSON"
      >
        <Text size="sm">Put right what is marked in the editor, then validate or send again.</Text>
      </Alert>
    );
  }
  return (
    <>
      {isOutdated && (
        <Box mb="sm">
          <Sign isWarning>The records have changed since. This is the answer to what they were before.</Sign>
        </Box>
      )}
      {children}
    </>
  );
}
