import { Box } from '@mantine/core';
import type { ReactNode } from 'react';
import { StatusLine } from './status-line';

/** Confirms what was saved. Always rendered, so that screen readers announce the text when it appears. */
export function SavedNote({ children }: { children?: ReactNode }) {
  return (
    <div role="status">
      {children !== undefined && (
        <Box mt="sm">
          <StatusLine>{children}</StatusLine>
        </Box>
      )}
    </div>
  );
}
