import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { segment } from '../api/call';

/** To the page of an account, by its id or by what is put in. */
export function AccountLink({ id, children = id }: { id: string; children?: ReactNode }) {
  return (
    <Anchor component={Link} href={`/accounts/${segment(id)}`} inherit className="breakable">
      {children}
    </Anchor>
  );
}
