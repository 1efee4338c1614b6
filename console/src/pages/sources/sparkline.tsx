import type { Source } from '@account-sync/client';
import { Anchor, Text } from '@mantine/core';
import { Link } from 'wouter';
import { describeRuns, type SparkBar, sparkBars } from './spark-bars';

const BAR_WIDTH = 6;
const GAP = 2;
const HEIGHT = 28;
/** A run that changed nothing is still visible. */
const LEAST_HEIGHT = 2;

const COLOURS = {
  open: 'var(--created)',
  finished: 'var(--updated)',
  abandoned: 'var(--mantine-color-dimmed)',
} as const;

/** The recent runs of a source as bars. A link to all its runs. */
export function Sparkline({ source: { name, label, recent_runs } }: { source: Source }) {
  if (recent_runs.length === 0) {
    return (
      <Text span size="sm" c="dimmed">
        No run so far
      </Text>
    );
  }
  const bars = sparkBars(recent_runs);
  const summary = describeRuns(recent_runs);
  return (
    <Anchor
      component={Link}
      href={`/runs?${new URLSearchParams({ source: name })}`}
      aria-label={`Runs of ${label}. ${summary}`}
      title={summary}
      display="inline-block"
    >
      <svg width={bars.length * (BAR_WIDTH + GAP) - GAP} height={HEIGHT} display="block" aria-hidden>
        {bars.map((bar, index) => (
          <Bar key={bar.id} bar={bar} x={index * (BAR_WIDTH + GAP)} />
        ))}
      </svg>
    </Anchor>
  );
}

function Bar({ bar: { state, changed, rejected }, x }: { bar: SparkBar; x: number }) {
  const rejectedHeight = rejected > 0 ? Math.max(rejected * HEIGHT, LEAST_HEIGHT) : 0;
  const changedHeight = Math.max(changed * (HEIGHT - rejectedHeight), LEAST_HEIGHT);
  return (
    <>
      <rect
        x={x}
        y={HEIGHT - changedHeight}
        width={BAR_WIDTH}
        height={changedHeight}
        rx={1}
        fill={COLOURS[state]}
      />
      <rect
        x={x}
        y={HEIGHT - changedHeight - rejectedHeight}
        width={BAR_WIDTH}
        height={rejectedHeight}
        rx={1}
        fill="var(--rejected)"
      />
    </>
  );
}
