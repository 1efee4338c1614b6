import type { Run } from '@account-sync/client';
import { Badge } from '@mantine/core';

/** The states of a run, with their labels. */
export const RUN_STATES: Readonly<Record<Run['state'], string>> = {
  open: 'Open',
  finished: 'Finished',
  abandoned: 'Abandoned',
};

const COLOURS = { open: 'pine', finished: 'teal', abandoned: 'orange' } as const;

export function RunState({ state }: { state: Run['state'] }) {
  return (
    <Badge color={COLOURS[state]} size="sm" miw="max-content">
      {RUN_STATES[state]}
    </Badge>
  );
}
