import { Tooltip, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { type KeyboardEvent, useRef, useState } from 'react';
import { formatLocalShort, plural } from '../../components/format';
import styles from './rejections.module.css';
import type { TimeBar } from './time-bars';

const MAX_LABELS = 7;
const WEEK_MS = 8 * 86_400_000;
const WEEKDAY = new Intl.DateTimeFormat(undefined, { weekday: 'short' });
const DAY = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const TIME = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });

interface TimeBarsViewProps {
  readonly bars: readonly TimeBar[];
  readonly onPick: (bar: TimeBar) => void;
}

/** Bar chart of rejections over time. A click on a bar filters by its time. Roving tabindex with arrow keys. */
export function TimeBarsView({ bars, onPick }: TimeBarsViewProps) {
  const [selected, setSelected] = useState(0);
  const row = useRef<HTMLFieldSetElement>(null);
  const current = Math.min(selected, bars.length - 1);
  const most = Math.max(1, ...bars.map(({ count }) => count));
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = Math.min(Math.max(current + step, 0), bars.length - 1);
    setSelected(next);
    row.current?.querySelectorAll('button')[next]?.focus();
  };
  return (
    <div>
      <fieldset ref={row} className={styles.bars} onKeyDown={onKeyDown}>
        <VisuallyHidden component="legend">
          Rejections over time. Select a bar to filter by its time.
        </VisuallyHidden>
        {bars.map((bar, index) => (
          <Tooltip key={bar.start} label={describe(bar)} openDelay={0}>
            <UnstyledButton
              className={styles.bar}
              tabIndex={index === current ? 0 : -1}
              aria-label={describe(bar)}
              onClick={() => onPick(bar)}
              onFocus={() => setSelected(index)}
            >
              {bar.count > 0 && (
                <span className={styles.filling} style={{ height: `${(100 * bar.count) / most}%` }} />
              )}
            </UnstyledButton>
          </Tooltip>
        ))}
      </fieldset>
      <div className={styles.names} aria-hidden>
        {labelled(bars).map(({ start, name }) => (
          <span key={start} className={styles.name}>
            {name}
          </span>
        ))}
      </div>
    </div>
  );
}

function describe({ start, end, count }: TimeBar): string {
  const from = new Date(start).toISOString();
  return `${formatLocalShort(from)} to ${TIME.format(end)}: ${plural(count, 'rejection')}`;
}

/** As many labels as fit, and none at the end, where the text would overflow. */
function labelled(bars: readonly TimeBar[]): { start: number; name: string }[] {
  const all = bars.filter(({ isLabelled }) => isLabelled);
  const each = Math.ceil(all.length / MAX_LABELS);
  const isWeek = (bars.at(-1)?.end ?? 0) - (bars[0]?.start ?? 0) <= WEEK_MS;
  return bars.map((bar, index) => {
    const isShown = bar.isLabelled && all.indexOf(bar) % each === 0 && index <= bars.length - 3;
    return { start: bar.start, name: isShown ? nameOf(bar.start, isWeek) : '' };
  });
}

function nameOf(start: number, isWeek: boolean): string {
  const time = new Date(start);
  if (time.getHours() > 0 || time.getMinutes() > 0) return TIME.format(time);
  return (isWeek ? WEEKDAY : DAY).format(time);
}
