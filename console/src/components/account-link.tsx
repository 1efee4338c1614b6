import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { encodePathSegment } from '../api/call';

interface AccountLinkProps {
  readonly id: string;
  readonly children?: ReactNode;
  /** -1 if another element receives the focus instead. */
  readonly tabIndex?: number;
  /** `always` inside a sentence, where colour alone would not identify the link. */
  readonly underline?: 'always';
}

/** Link to the page of an account. Shows the id unless it has children. */
export function AccountLink({ id, children = id, ...props }: AccountLinkProps) {
  return (
    <Anchor
      component={Link}
      href={`/accounts/${encodePathSegment(id)}`}
      inherit
      className="breakable"
      {...props}
    >
      {children}
    </Anchor>
  );
}
