import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { encodePathSegment } from '../api/call';

interface RunLinkProps {
  readonly id: string;
  readonly children?: ReactNode;
  /** `always` inside a sentence, where colour alone would not identify the link. */
  readonly underline?: 'always';
}

/** Link to the page of a run. Shows its number unless it has children. */
export function RunLink({ id, children = `run ${id}`, ...props }: RunLinkProps) {
  return (
    <Anchor component={Link} href={`/runs/${encodePathSegment(id)}`} inherit {...props}>
      {children}
    </Anchor>
  );
}
