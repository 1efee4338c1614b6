import { Group, Text } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';

/** Says what was saved, where it was saved; there before it has something to say, so that it is read out. */
export function SavedNote({ children }: { children?: ReactNode }) {
  return (
    <div role="status">
      {children !== undefined && (
        <Group gap={6} wrap="nowrap" align="flex-start" mt="sm">
          <IconCircleCheck
            size={18}
            aria-hidden
            color="var(--mantine-color-teal-7)"
            style={{ flexShrink: 0, marginTop: 2 }}
          />
          <Text size="sm" component="div" className="breakable">
            {children}
          </Text>
        </Group>
      )}
    </div>
  );
}
