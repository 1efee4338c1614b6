import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { segment } from '../api/call';

interface AccountLinkProps {
  readonly id: string;
  readonly children?: ReactNode;
  /** Where another element takes the focus for it. */
  readonly tabIndex?: number;
  /** `always` among other words, where colour alone would not show it. */
  readonly underline?: 'always';
}

/** To the page of an account, by its id or by what is put in. */
export function AccountLink({ id, children = id, ...props }: AccountLinkProps) {
  return (
    <Anchor component={Link} href={`/accounts/${segment(id)}`} inherit className="breakable" {...props}>
      {children}
    </Anchor>
  );
}
