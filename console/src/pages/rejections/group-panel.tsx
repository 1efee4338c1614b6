import { Button, Center, Stack, Title } from '@mantine/core';
import { useState } from 'react';
import type { Rejection } from '../../api/rejections';
import { plural } from '../../components/format';
import { AdviceView } from './advice-view';
import type { RejectionGroup } from './group-rejections';
import { RejectionCard } from './rejection-card';

const FIRST_SHOWN = 10;
const MORE_SHOWN = 20;

/** An open group. New rejections are shown on request, so that the list does not move while it is read. */
export function GroupPanel({ group }: { group: RejectionGroup }) {
  const { rejections } = group;
  const [newest, setNewest] = useState(() => idOf(rejections[0]));
  const [shown, setShown] = useState(FIRST_SHOWN);
  const known = rejections.filter((rejection) => idOf(rejection) <= newest);
  const waiting = rejections.length - known.length;
  return (
    <Stack gap="lg">
      <AdviceView group={group} />
      <Stack gap="md">
        <Title order={3} size="h5">
          Rejections, newest first
        </Title>
        {waiting > 0 && (
          <Button variant="light" size="xs" onClick={() => setNewest(idOf(rejections[0]))}>
            Show {plural(waiting, 'new rejection')}
          </Button>
        )}
        <Stack component="ul" gap="lg" m={0} p={0} style={{ listStyle: 'none' }}>
          {known.slice(0, shown).map((rejection) => (
            <RejectionCard key={rejection.id} rejection={rejection} />
          ))}
        </Stack>
        {known.length > shown && (
          <Center>
            <Button variant="default" onClick={() => setShown(shown + MORE_SHOWN)}>
              Show more ({plural(known.length - shown, 'older rejection')})
            </Button>
          </Center>
        )}
      </Stack>
    </Stack>
  );
}

function idOf(rejection: Rejection | undefined): number {
  return Number(rejection?.id ?? 0);
}
