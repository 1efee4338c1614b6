import type { Attribute } from '@account-sync/client';
import { Button } from '@mantine/core';
import { useDeclare } from '../../api/attributes';

/** Ends the build of an index: the attribute is not indexed any more. */
export function CancelIndex({ attribute }: { readonly attribute: Attribute }) {
  const { name, type, choices, read_only } = attribute;
  const declare = useDeclare(name);
  return (
    <Button
      size="compact-xs"
      variant="default"
      loading={declare.isPending}
      onClick={() => declare.mutate({ type, choices, read_only, indexed: false })}
    >
      Cancel
    </Button>
  );
}
