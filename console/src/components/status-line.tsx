import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { IconAlertTriangle, IconCircleCheck } from '../icons/icons.js';

/** One sentence with an icon: success, or a warning. */
export function StatusLine({ isWarning = false, children }: { isWarning?: boolean; children: ReactNode }) {
  const Icon = isWarning ? IconAlertTriangle : IconCircleCheck;
  return (
    <Group gap={6} wrap="nowrap" align="flex-start">
      <Icon
        size={18}
        aria-hidden
        color={`var(--mantine-color-${isWarning ? 'orange' : 'teal'}-6)`}
        style={{ flexShrink: 0, marginTop: 2 }}
      />
      <Text size="sm" component="div" className="breakable">
        {children}
      </Text>
    </Group>
  );
}
