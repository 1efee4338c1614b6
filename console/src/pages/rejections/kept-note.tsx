import { Alert } from '@mantine/core';
import {
  type CountedSpan,
  KEPT_PER_SECOND,
  KEPT_REJECTIONS,
  type Rejection,
  useRejectedCount,
} from '../../api/rejections';
import { formatLocalShort, formatNumber } from '../../components/format';
import type { Period } from '../../components/period';
import { useNow } from '../../components/use-now';
import { IconInfoCircle } from '../../icons/icons.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** The longest period of the overview. */
const WEEK_MS = 7 * 24 * HOUR_MS;

interface KeptNoteProps {
  /** All stored rejections, newest first. */
  readonly rejections: readonly Rejection[];
  readonly listReadAt: number;
  readonly period: Period;
}

/** Explains that only some rejections are listed, if more were counted than stored. */
export function KeptNote({ rejections, listReadAt, period }: KeptNoteProps) {
  const now = useNow();
  const oldest = Math.min(Date.parse(rejections.at(-1)?.at ?? '') || now, now - WEEK_MS);
  const span = countedSpan(Math.max(period.from, oldest), Math.min(period.to, now), now);
  const kept = rejections.filter(
    ({ at }) => Date.parse(at) >= span.start && Date.parse(at) < span.end,
  ).length;
  const counted = useRejectedCount(span, listReadAt).data ?? 0;
  if (counted <= kept) return null;
  const timeText = (at: number) => formatLocalShort(new Date(at).toISOString());
  return (
    <Alert variant="light" mb="md" icon={<IconInfoCircle aria-hidden />}>
      {formatNumber(counted)} records and requests were rejected since {timeText(span.start)}
      {span.end < now && ` and before ${timeText(span.end)}`}. {formatNumber(kept)} of them{' '}
      {kept === 1 ? 'is' : 'are'} listed here. The others were only counted: details are stored for about{' '}
      {KEPT_PER_SECOND} per second and for the newest {formatNumber(KEPT_REJECTIONS)}.
    </Alert>
  );
}

/** The server keeps counts by minute for two days only, and a long range would return many of them. */
function countedSpan(from: number, to: number, now: number): CountedSpan {
  const isShort = to - from <= 3 * HOUR_MS && from > now - 24 * HOUR_MS;
  const length = isShort ? MINUTE_MS : HOUR_MS;
  return {
    unit: isShort ? 'minute' : 'hour',
    start: Math.floor(from / length) * length,
    end: Math.ceil(to / length) * length,
  };
}
