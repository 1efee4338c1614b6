import { Alert } from '@mantine/core';
import type { ReactNode } from 'react';
import { IconAlertTriangle } from '../icons/icons.js';

/** A warning before the user continues. */
export function Caution({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Alert color="orange" variant="light" icon={<IconAlertTriangle aria-hidden />} title={title}>
      {children}
    </Alert>
  );
}
