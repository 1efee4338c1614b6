import { Text, Tooltip } from '@mantine/core';
import { formatLocal, formatRelative, formatUtc } from './format';
import { useNow } from './use-now';

/** A moment, as far from now; the whole of it, here and in UTC, on a closer look. */
export function Moment({ at }: { at: string }) {
  const now = useNow();
  return (
    <Tooltip label={<Both at={at} />} events={{ hover: true, focus: true, touch: true }}>
      <Text span inherit component="time" dateTime={at}>
        {formatRelative(at, now)}
      </Text>
    </Tooltip>
  );
}

function Both({ at }: { at: string }) {
  return (
    <>
      {formatLocal(at)}
      <br />
      {formatUtc(at)}
    </>
  );
}
