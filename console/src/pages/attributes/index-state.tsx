import type { Attribute } from '@account-sync/client';
import { Group, Loader, Text } from '@mantine/core';
import { IconBolt } from '../../icons/icons.js';

/** State of the index. Screen readers announce changes. */
export function IndexState({ attribute }: { readonly attribute: Attribute }) {
  const { index } = attribute;
  return (
    <Group gap={6} wrap="nowrap" role="status">
      {index === 'building' && <Loader size={14} aria-hidden />}
      {index === 'ready' && (
        <IconBolt size={15} stroke={1.8} color="var(--mantine-color-anchor)" aria-hidden />
      )}
      <Text size="sm" {...(index === 'none' && { c: 'dimmed' })}>
        {indexText(attribute)}
      </Text>
    </Group>
  );
}

export function indexText({ index, index_progress: progress }: Attribute): string {
  if (index === 'none') return 'Not indexed';
  return index === 'ready' ? 'Indexed' : `Building index: ${Math.round(100 * (progress ?? 0))} %`;
}
