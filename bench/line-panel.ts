import { grouped, line, round, text, ticks } from './svg.js';

export interface LinePanel {
  readonly title: string;
  readonly xLabel: string;
  readonly yLabel: string;
  /** Drawn at equal distances, regardless of their values. */
  readonly xs: readonly number[];
  /** `colour` is an index of the palette. */
  readonly series: readonly {
    readonly name: string;
    readonly colour: number;
    readonly values: readonly number[];
  }[];
}

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

const LABEL_HEIGHT = 17;

/** Lines over a grid, each with its name at its right end; `box` is the plot without labels. */
export function linePanel(panel: LinePanel, box: Box): string[] {
  const { title, xLabel, yLabel, xs, series } = panel;
  const { left, top, width, height } = box;
  const steps = ticks(Math.max(...series.flatMap(({ values }) => values)));
  const xAt = (i: number) => left + (width * (i + 0.25)) / (xs.length - 0.5);
  const yAt = (value: number) => top + height - (height * value) / (steps.at(-1) ?? 1);
  const bottom = top + height;
  const ends = spread(series.map(({ values }) => yAt(values.at(-1) ?? 0)));
  return [
    text(left, top - 30, title, 'font-weight="600"'),
    text(left, top - 12, yLabel, 'class="faint"'),
    ...steps.flatMap((step) => [
      line(left, yAt(step), xAt(xs.length - 1) + 6, yAt(step), 'grid'),
      text(left - 8, yAt(step) + 4, grouped(step), 'text-anchor="end" class="faint"'),
    ]),
    ...xs.map((x, i) => text(xAt(i), bottom + 20, grouped(x), 'text-anchor="middle" class="faint"')),
    text(left + width / 2, bottom + 42, xLabel, 'text-anchor="middle" class="faint"'),
    ...series.flatMap(({ name, colour, values }, i) => [
      `<polyline class="line s${colour}" points="${values
        .map((value, at) => `${round(xAt(at))},${round(yAt(value))}`)
        .join(' ')}"/>`,
      ...values.map(
        (value, at) =>
          `<circle cx="${round(xAt(at))}" cy="${round(yAt(value))}" r="3.5" class="s${colour}"/>`,
      ),
      text(xAt(xs.length - 1) + 12, (ends[i] ?? 0) + 4, name, `class="t${colour}"`),
    ]),
  ];
}

/** Moves heights apart until labels at them do not overlap, keeping their order. */
function spread(heights: readonly number[]): number[] {
  const result = [...heights];
  const order = heights.map((_, i) => i).sort((a, b) => (heights[b] ?? 0) - (heights[a] ?? 0));
  let lowest = Number.POSITIVE_INFINITY;
  for (const i of order) {
    result[i] = Math.min(heights[i] ?? 0, lowest - LABEL_HEIGHT);
    lowest = result[i];
  }
  return result;
}
