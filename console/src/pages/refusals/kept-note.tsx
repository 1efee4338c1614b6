import { Alert } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import {
  type CountedSpan,
  KEPT_A_SECOND,
  KEPT_REJECTIONS,
  type Rejection,
  useRefusedCount,
} from '../../api/rejections';
import { formatLocalShort, formatNumber } from '../../parts/format';
import { useNow } from '../../parts/use-now';
import type { Period } from './filters';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** As far back as the overview counts. */
const WEEK_MS = 7 * 24 * HOUR_MS;

interface KeptNoteProps {
  /** All that are kept, the newest first. */
  readonly refusals: readonly Rejection[];
  readonly askedAt: number;
  readonly period: Period;
}

/** Says that the page shows a part, where more were refused than are kept in detail. */
export function KeptNote({ refusals, askedAt, period }: KeptNoteProps) {
  const now = useNow();
  const oldest = Math.min(Date.parse(refusals.at(-1)?.at ?? '') || now, now - WEEK_MS);
  const span = countedSpan(Math.max(period.from, oldest), Math.min(period.to, now), now);
  const kept = refusals.filter(({ at }) => Date.parse(at) >= span.start && Date.parse(at) < span.end).length;
  const refused = useRefusedCount(span, askedAt).data ?? 0;
  if (refused <= kept) return null;
  const moment = (at: number) => formatLocalShort(new Date(at).toISOString());
  return (
    <Alert variant="light" mb="md" icon={<IconInfoCircle aria-hidden />}>
      In all {formatNumber(refused)} were refused since {moment(span.start)}
      {span.end < now && ` and before ${moment(span.end)}`}: {formatNumber(kept)} of them{' '}
      {kept === 1 ? 'is' : 'are'} kept in detail and shown here. The others were only counted: about{' '}
      {KEPT_A_SECOND} a second are kept, and the newest {formatNumber(KEPT_REJECTIONS)} in all.
    </Alert>
  );
}

/** Minutes are counted for two days only, and of a long time there would be many. */
function countedSpan(from: number, to: number, now: number): CountedSpan {
  const isShort = to - from <= 3 * HOUR_MS && from > now - 24 * HOUR_MS;
  const length = isShort ? MINUTE_MS : HOUR_MS;
  return {
    unit: isShort ? 'minute' : 'hour',
    start: Math.floor(from / length) * length,
    end: Math.ceil(to / length) * length,
  };
}
