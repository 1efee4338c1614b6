import { Tooltip, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { type KeyboardEvent, useRef, useState } from 'react';
import { formatLocalShort, plural } from '../../parts/format';
import styles from './refusals.module.css';
import type { TimeBar } from './time-bars';

const MAX_NAMES = 7;
const WEEK_MS = 8 * 86_400_000;
const WEEKDAY = new Intl.DateTimeFormat(undefined, { weekday: 'short' });
const DAY = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const TIME = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });

interface TimeBarsViewProps {
  readonly bars: readonly TimeBar[];
  readonly onPick: (bar: TimeBar) => void;
}

/** How many were refused when; a bar leads to its time. One stop of the tab key, and arrows from bar to bar. */
export function TimeBarsView({ bars, onPick }: TimeBarsViewProps) {
  const [chosen, setChosen] = useState(0);
  const row = useRef<HTMLFieldSetElement>(null);
  const current = Math.min(chosen, bars.length - 1);
  const most = Math.max(1, ...bars.map(({ count }) => count));
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = Math.min(Math.max(current + step, 0), bars.length - 1);
    setChosen(next);
    row.current?.querySelectorAll('button')[next]?.focus();
  };
  return (
    <div>
      <fieldset ref={row} className={styles.bars} onKeyDown={onKeyDown}>
        <VisuallyHidden component="legend">Refusals over time; a bar shows its time alone</VisuallyHidden>
        {bars.map((bar, place) => (
          <Tooltip key={bar.start} label={describe(bar)} openDelay={0}>
            <UnstyledButton
              className={styles.bar}
              tabIndex={place === current ? 0 : -1}
              aria-label={describe(bar)}
              onClick={() => onPick(bar)}
              onFocus={() => setChosen(place)}
            >
              {bar.count > 0 && (
                <span className={styles.filling} style={{ height: `${(100 * bar.count) / most}%` }} />
              )}
            </UnstyledButton>
          </Tooltip>
        ))}
      </fieldset>
      <div className={styles.names} aria-hidden>
        {named(bars).map(({ start, name }) => (
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
  return `${formatLocalShort(from)} to ${TIME.format(end)}: ${plural(count, 'refusal')}`;
}

/** Not more than there is room for, and none that would stand out at the end. */
function named(bars: readonly TimeBar[]): { start: number; name: string }[] {
  const all = bars.filter(({ isNamed }) => isNamed);
  const each = Math.ceil(all.length / MAX_NAMES);
  const isWeek = (bars.at(-1)?.end ?? 0) - (bars[0]?.start ?? 0) <= WEEK_MS;
  return bars.map((bar, place) => {
    const isShown = bar.isNamed && all.indexOf(bar) % each === 0 && place <= bars.length - 3;
    return { start: bar.start, name: isShown ? nameOf(bar.start, isWeek) : '' };
  });
}

function nameOf(start: number, isWeek: boolean): string {
  const moment = new Date(start);
  if (moment.getHours() > 0 || moment.getMinutes() > 0) return TIME.format(moment);
  return (isWeek ? WEEKDAY : DAY).format(moment);
}
