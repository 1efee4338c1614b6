import { grouped } from '../../domain/text.js';
import type { Outages } from '../client/connect.js';
import { duration } from '../terminal/printable.js';
import type { StatusLine } from '../terminal/status-line.js';
import type { ImportFile } from './open-import-file.js';
import type { ResultTracker } from './result-tracker.js';

const BAR_WIDTH = 24;
const TICK_MS = 250;

/** Shows the progress of an import, and whether it waits for the server. */
export class ImportProgress {
  readonly #line: StatusLine;
  readonly #outages: Outages;
  readonly #startedAt = performance.now();
  #timer: NodeJS.Timeout | undefined;

  constructor(line: StatusLine, outages: Outages) {
    this.#line = line;
    this.#outages = outages;
  }

  /** `readRecords` returns how many records of the file have been read, sent or not. */
  start(importFile: ImportFile, tracker: ResultTracker, readRecords: () => number): void {
    const { records: skipped } = tracker;
    const startedAt = performance.now();
    const draw = (columns: number) => {
      const seconds = (performance.now() - startedAt) / 1000;
      const speed = Math.max(0, tracker.records - skipped) / Math.max(seconds, 0.001);
      const share = shareOf(importFile, tracker.records, readRecords());
      const isKnown = speed > 0 && seconds > 1 && this.#waiting === undefined;
      // Uses the speed of this run, because an earlier run processed the skipped records.
      const left = share && isKnown ? (tracker.records * (1 / share - 1)) / speed : undefined;
      return this.#line.isTerminal
        ? this.#bar({ share, speed, left, columns }, tracker)
        : this.#sentence({ share, speed, left }, importFile, tracker);
    };
    this.#timer = setInterval(() => this.#line.show(draw), TICK_MS);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#line.clear();
  }

  get seconds(): number {
    return (performance.now() - this.#startedAt) / 1000;
  }

  #bar({ share, speed, left, columns }: View, { records, counts }: ResultTracker): string {
    const parts = [
      `${grouped(records)} records`,
      this.#waiting ?? `${grouped(Math.round(speed))}/s`,
      `${grouped(counts.refused)} rejected`,
      ...(left === undefined ? [] : [`${duration(left)} left`]),
    ];
    const percent = share === undefined ? '' : `${String(Math.floor(100 * share)).padStart(3)} %  `;
    const length = () => percent.length + parts.join('  ').length;
    // Drops whole parts: a truncated number would show a wrong value.
    while (parts.length > 2 && length() > columns) parts.pop();
    const width = share === undefined ? 0 : Math.min(BAR_WIDTH, columns - length() - 2);
    const full = Math.round((share ?? 0) * width);
    const bar = width < 4 ? '' : `${'█'.repeat(full)}${'░'.repeat(width - full)}  `;
    return `${percent}${bar}${parts.join('  ')}`;
  }

  #sentence(
    { share, speed, left }: Omit<View, 'columns'>,
    importFile: ImportFile,
    { records, counts }: ResultTracker,
  ): string {
    const progress = `${Math.floor(100 * (share ?? 0))} %`;
    const end = left === undefined ? '' : `, ${duration(left)} left`;
    const pace = this.#waiting ?? `${grouped(Math.round(speed))} a second`;
    return `${importFile.name}: ${grouped(records)} records (${progress}), ${pace}, ${grouped(counts.refused)} rejected${end}`;
  }

  get #waiting(): string | undefined {
    const { seconds } = this.#outages;
    return seconds === undefined ? undefined : `waiting for the server, ${duration(seconds)}`;
  }
}

interface View {
  readonly share: number | undefined;
  readonly speed: number;
  readonly left: number | undefined;
  readonly columns: number;
}

/** The share of the file that is read, times the share of the read records that are done. */
function shareOf({ size, bytesRead }: ImportFile, done: number, read: number): number | undefined {
  if (size === 0 || read === 0) return undefined;
  // `done` can exceed `read`, because records of an earlier run are done before they are read.
  return Math.min(1, bytesRead / size) * Math.min(1, done / read);
}
