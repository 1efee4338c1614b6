import { Accordion, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Rejection } from '../../api/rejections';
import { FieldName } from '../../components/field-name';
import { formatNumber, formatRelative, plural } from '../../components/format';
import { Timestamp } from '../../components/timestamp';
import { useNow } from '../../components/use-now';
import { GroupPanel } from './group-panel';
import type { RejectionGroup } from './group-rejections';
import styles from './rejections.module.css';

interface GroupListProps {
  /** Largest first. */
  readonly groups: readonly RejectionGroup[];
  readonly open: string | undefined;
  readonly onOpen: (key: string | undefined) => void;
}

export function GroupList({ groups, open, onOpen }: GroupListProps) {
  const ordered = useStableOrder(groups, open !== undefined);
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
        // The value becomes part of element ids, which must not contain spaces.
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

/** While a group is open, the order stays the same even if new rejections arrive. */
function useStableOrder(groups: readonly RejectionGroup[], isKept: boolean): readonly RejectionGroup[] {
  const [order, setOrder] = useState<readonly string[]>([]);
  const sorted = groups.map(({ key }) => key);
  const next = isKept ? [...new Set([...order.filter((key) => sorted.includes(key)), ...sorted])] : sorted;
  if (next.join('\n') !== order.join('\n')) setOrder(next);
  return groups.toSorted((a, b) => next.indexOf(a.key) - next.indexOf(b.key));
}

function GroupHead({
  group: { attribute, message, rejections, senders, accounts },
}: {
  group: RejectionGroup;
}) {
  return (
    <Group wrap="nowrap" align="flex-start" gap="md">
      <Text span className={`${styles.count} numbers`} aria-label={plural(rejections.length, 'time')}>
        {formatNumber(rejections.length)}
      </Text>
      <Stack gap={2} miw={0}>
        <Text span fw={600} className="breakable">
          {message}
        </Text>
        <Text span size="sm" c="dimmed" className="breakable">
          {attribute === null ? (
            'Whole request'
          ) : (
            <>
              Field <FieldName name={attribute} />
            </>
          )}
          {' · '}
          <TimeSpan rejections={rejections} />
          {` · ${plural(senders, 'sender')}`}
          {accounts > 0 && ` · ${plural(accounts, 'account')}`}
        </Text>
      </Stack>
    </Group>
  );
}

/** Time of the first and the last rejection. */
function TimeSpan({ rejections }: { rejections: readonly Rejection[] }) {
  const now = useNow();
  const [last, first] = [rejections[0]?.at ?? '', rejections.at(-1)?.at ?? ''];
  if (formatRelative(first, now) === formatRelative(last, now)) return <Timestamp at={last} />;
  return (
    <>
      from <Timestamp at={first} /> to <Timestamp at={last} />
    </>
  );
}
