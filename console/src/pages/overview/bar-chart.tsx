import { useElementSize } from '@mantine/hooks';
import { AxisBottom, AxisLeft } from '@visx/axis';
import { scaleBand, scaleLinear } from '@visx/scale';
import { BarStack } from '@visx/shape';
import { formatShortNumber } from '../../components/format';
import type { Bar } from './activity';
import { barName, tickName, tickStarts } from './bar-names';
import { BarTooltip } from './bar-tooltip';
import css from './overview.module.css';
import type { Period } from './periods';
import type { Series } from './series';
import { useBarPointer } from './use-bar-pointer';

const LEFT = 38;
const RIGHT = 14;
const BOTTOM = 26;
const TOP = 8;

const tickText = { fill: 'var(--mantine-color-dimmed)', fontSize: 12, fontFamily: 'inherit' };

interface BarChartProps {
  readonly period: Period;
  readonly bars: readonly Bar[];
  /** Stacked, the first one at the bottom. */
  readonly series: readonly Series[];
  readonly height: number;
  /** Name and one-sentence summary of the chart for screen readers. */
  readonly label: string;
  readonly summary: string;
}

export function BarChart({ period, bars, series, height, label, summary }: BarChartProps) {
  const { ref, width } = useElementSize<HTMLDivElement>();
  const starts = bars.map(({ start }) => start);
  const x = scaleBand({
    domain: starts,
    range: [LEFT, Math.max(width - RIGHT, LEFT)],
    paddingInner: 0.24,
    paddingOuter: 0.1,
  });
  const plotWidth = width - LEFT - RIGHT;
  const y = scaleLinear({ domain: [0, highest(bars, series)], range: [height - BOTTOM, TOP], nice: 4 });
  const steps = y.ticks(4).filter(Number.isInteger);
  const { pointed, keys, pointer } = useBarPointer(bars.length, (offset) =>
    Math.floor((offset - LEFT) / x.step()),
  );
  const bar = pointed === undefined ? undefined : bars[pointed];
  const textOf = (at: Bar) =>
    `${barName(period, at.start)}: ${series.map(({ name, label }) => `${at[name]} ${label.toLowerCase()}`).join(', ')}`;
  return (
    <div ref={ref} className={css.chart} style={{ height }} {...pointer}>
      {width > 0 && (
        <svg width={width} height={height} role="img" aria-label={summary}>
          {steps.map((step) => (
            <line key={step} x1={LEFT} x2={width - RIGHT} y1={y(step)} y2={y(step)} stroke="var(--grid)" />
          ))}
          {bar !== undefined && (
            <rect
              className={css.pointed}
              x={(x(bar.start) ?? 0) - (x.step() - x.bandwidth()) / 2}
              y={TOP}
              width={x.step()}
              height={height - BOTTOM - TOP}
            />
          )}
          <BarStack
            data={[...bars]}
            keys={series.map(({ name }) => name)}
            x={({ start }) => start}
            xScale={x}
            yScale={y}
            color={(name) => series.find((one) => one.name === name)?.colour ?? ''}
          />
          <AxisLeft
            scale={y}
            left={LEFT}
            tickValues={steps}
            tickFormat={(step) => formatShortNumber(Number(step))}
            tickLabelProps={{ ...tickText, dx: -4, dy: 4, textAnchor: 'end' }}
            hideAxisLine
            hideTicks
            tickLength={0}
          />
          <AxisBottom
            scale={x}
            top={height - BOTTOM}
            tickValues={tickStarts(period, starts, plotWidth)}
            tickFormat={(start) => tickName(period, Number(start), plotWidth)}
            tickLabelProps={{ ...tickText, textAnchor: 'middle' }}
            stroke="var(--mantine-color-dimmed)"
            tickStroke="var(--mantine-color-dimmed)"
            tickLength={4}
          />
        </svg>
      )}
      <input
        type="range"
        className={css.keys}
        min={0}
        max={bars.length - 1}
        aria-label={`${label}: use the arrow keys to move through the ${bars.length} bars`}
        aria-valuetext={textOf(bar ?? (bars.at(-1) as Bar))}
        {...keys}
      />
      {bar !== undefined && (
        <BarTooltip
          title={barName(period, bar.start)}
          isCurrent={bar === bars.at(-1)}
          bar={bar}
          series={series}
          left={Math.min(Math.max((x(bar.start) ?? 0) + x.bandwidth() / 2, 84), Math.max(width - 84, 84))}
        />
      )}
    </div>
  );
}

function highest(bars: readonly Bar[], series: readonly Series[]): number {
  return Math.max(1, ...bars.map((bar) => series.reduce((sum, { name }) => sum + bar[name], 0)));
}
