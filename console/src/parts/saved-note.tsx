import { Box } from '@mantine/core';
import type { ReactNode } from 'react';
import { Sign } from './sign';

/** Says what was saved, where it was saved; there before it has something to say, so that it is read out. */
export function SavedNote({ children }: { children?: ReactNode }) {
  return (
    <div role="status">
      {children !== undefined && (
        <Box mt="sm">
          <Sign>{children}</Sign>
        </Box>
      )}
    </div>
  );
}
