import { Button, Center, Stack, Title } from '@mantine/core';
import { useState } from 'react';
import type { Rejection } from '../../api/rejections';
import { plural } from '../../parts/format';
import { AdviceView } from './advice-view';
import type { RefusalGroup } from './group-refusals';
import { RefusalCard } from './refusal-card';

const FIRST_SHOWN = 10;
const MORE_SHOWN = 20;

/** An open group. What is refused meanwhile waits to be asked for: nobody loses the place where they read. */
export function GroupPanel({ group }: { group: RefusalGroup }) {
  const { refusals } = group;
  const [newest, setNewest] = useState(() => idOf(refusals[0]));
  const [shown, setShown] = useState(FIRST_SHOWN);
  const known = refusals.filter((refusal) => idOf(refusal) <= newest);
  const waiting = refusals.length - known.length;
  return (
    <Stack gap="lg">
      <AdviceView group={group} />
      <Stack gap="md">
        <Title order={3} size="h5">
          The refusals, newest first
        </Title>
        {waiting > 0 && (
          <Button variant="light" size="xs" onClick={() => setNewest(idOf(refusals[0]))}>
            Show {plural(waiting, 'newer one')}
          </Button>
        )}
        <Stack component="ul" gap="lg" m={0} p={0} style={{ listStyle: 'none' }}>
          {known.slice(0, shown).map((refusal) => (
            <RefusalCard key={refusal.id} refusal={refusal} />
          ))}
        </Stack>
        {known.length > shown && (
          <Center>
            <Button variant="default" onClick={() => setShown(shown + MORE_SHOWN)}>
              Show more of {plural(known.length - shown, 'older one')}
            </Button>
          </Center>
        )}
      </Stack>
    </Stack>
  );
}

function idOf(refusal: Rejection | undefined): number {
  return Number(refusal?.id ?? 0);
}
