import { Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';

/** Receives the focus, because the button that led to the step is gone. */
export function StepTitle({ children }: { children: ReactNode }) {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  return (
    <Title order={3} size="h5" ref={title} tabIndex={-1} style={{ outline: 'none' }}>
      {children}
    </Title>
  );
}
