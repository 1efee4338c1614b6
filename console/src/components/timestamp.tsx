import { Text, Tooltip } from '@mantine/core';
import { formatLocal, formatRelative, formatUtc } from './format';
import { useNow } from './use-now';

/** A time relative to now. The tooltip shows the full time, in the local time zone and in UTC. */
export function Timestamp({ at }: { at: string }) {
  const now = useNow();
  return (
    <Tooltip label={<LocalAndUtc at={at} />} events={{ hover: true, focus: true, touch: true }}>
      <Text span inherit component="time" dateTime={at}>
        {formatRelative(at, now)}
      </Text>
    </Tooltip>
  );
}

function LocalAndUtc({ at }: { at: string }) {
  return (
    <>
      {formatLocal(at)}
      <br />
      {formatUtc(at)}
    </>
  );
}
