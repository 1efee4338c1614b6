import type { Box } from './line-panel.js';
import { grouped, line, round, text, ticks } from './svg.js';

export interface BarPanel {
  readonly title: string;
  readonly xLabel: string;
  /** A stroke marks `goal`. */
  readonly bars: readonly {
    readonly name: string;
    readonly colour: number;
    readonly value: number;
    readonly goal?: number;
  }[];
}

/** The width of a value label with its margins. */
const VALUE_WIDTH = 52;

/** Horizontal bars, with the name on the left and the value on the right; `box` is the plot without labels. */
export function barPanel({ title, xLabel, bars }: BarPanel, { left, top, width, height }: Box): string[] {
  const steps = ticks(Math.max(...bars.flatMap(({ value, goal = 0 }) => [value, goal])));
  const xAt = (value: number) => left + (width * value) / (steps.at(-1) ?? 1);
  const pitch = height / bars.length;
  return [
    text(left, top - 12, title, 'font-weight="600"'),
    ...steps.flatMap((step) => [
      line(xAt(step), top, xAt(step), top + height, 'grid'),
      text(xAt(step), top + height + 18, grouped(step), 'text-anchor="middle" class="faint"'),
    ]),
    text(left + width / 2, top + height + 40, xLabel, 'text-anchor="middle" class="faint"'),
    ...bars.flatMap(({ name, colour, value, goal }, i) => {
      const y = top + pitch * (i + 0.2);
      const middle = y + pitch * 0.3 + 4;
      // The value label moves to the right of the goal mark if the two would overlap.
      const overlapsGoal = goal !== undefined && goal >= value && xAt(goal) - xAt(value) < VALUE_WIDTH;
      const labelX = xAt(overlapsGoal ? goal : value) + 8;
      const size = `width="${round(xAt(value) - left)}" height="${round(pitch * 0.6)}"`;
      return [
        text(left - 10, middle, name, 'text-anchor="end"'),
        `<rect x="${left}" y="${round(y)}" ${size} class="s${colour}"/>`,
        ...(goal === undefined ? [] : [line(xAt(goal), y - 4, xAt(goal), y + pitch * 0.6 + 4, 'goal')]),
        text(labelX, middle, value.toFixed(2), 'font-weight="600"'),
      ];
    }),
  ];
}
