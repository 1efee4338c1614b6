import { Accordion, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Rejection } from '../../api/rejections';
import { formatNumber, formatRelative, plural } from '../../parts/format';
import { Moment } from '../../parts/moment';
import { useNow } from '../../parts/use-now';
import { GroupPanel } from './group-panel';
import type { RefusalGroup } from './group-refusals';
import styles from './refusals.module.css';

interface GroupListProps {
  /** The largest first. */
  readonly groups: readonly RefusalGroup[];
  readonly open: string | undefined;
  readonly onOpen: (key: string | undefined) => void;
}

export function GroupList({ groups, open, onOpen }: GroupListProps) {
  const ordered = useCalmOrder(groups, open !== undefined);
  return (
    <Accordion
      variant="contained"
      order={2}
      value={open === undefined ? null : encodeURIComponent(open)}
      onChange={(key) => onOpen(key === null ? undefined : decodeURIComponent(key))}
      classNames={{ item: styles.group ?? '' }}
      styles={{ label: { paddingInlineEnd: 12 } }}
    >
      {ordered.map((group) => (
        // Becomes a part of ids, in which no space may be.
        <Accordion.Item key={group.key} value={encodeURIComponent(group.key)}>
          <Accordion.Control px={{ base: 'xs', sm: 'md' }} py={4}>
            <GroupHead group={group} />
          </Accordion.Control>
          <Accordion.Panel>{group.key === open && <GroupPanel group={group} />}</Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  );
}

/** While one is open they keep their places, whatever is refused meanwhile. */
function useCalmOrder(groups: readonly RefusalGroup[], isKept: boolean): readonly RefusalGroup[] {
  const [order, setOrder] = useState<readonly string[]>([]);
  const sorted = groups.map(({ key }) => key);
  const next = isKept ? [...new Set([...order.filter((key) => sorted.includes(key)), ...sorted])] : sorted;
  if (next.join('\n') !== order.join('\n')) setOrder(next);
  return groups.toSorted((a, b) => next.indexOf(a.key) - next.indexOf(b.key));
}

function GroupHead({ group: { attribute, message, refusals, keys, accounts } }: { group: RefusalGroup }) {
  return (
    <Group wrap="nowrap" align="flex-start" gap="md">
      <Text span className={`${styles.count} numbers`} aria-label={plural(refusals.length, 'time')}>
        {formatNumber(refusals.length)}
      </Text>
      <Stack gap={2} miw={0}>
        <Text span fw={600} className="breakable">
          {message}
        </Text>
        <Text span size="sm" c="dimmed" className="breakable">
          {attribute === null ? (
            'Not about a field'
          ) : (
            <>
              Field{' '}
              <Text span inherit ff="monospace">
                {attribute}
              </Text>
            </>
          )}
          {' · '}
          <Span refusals={refusals} />
          {` · ${plural(keys, 'key')}`}
          {accounts > 0 && ` · ${plural(accounts, 'account')}`}
        </Text>
      </Stack>
    </Group>
  );
}

/** From the first to the last. */
function Span({ refusals }: { refusals: readonly Rejection[] }) {
  const now = useNow();
  const [last, first] = [refusals[0]?.at ?? '', refusals.at(-1)?.at ?? ''];
  if (formatRelative(first, now) === formatRelative(last, now)) return <Moment at={last} />;
  return (
    <>
      from <Moment at={first} /> to <Moment at={last} />
    </>
  );
}
