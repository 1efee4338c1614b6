import type { Retry } from '@account-sync/client';
import { grouped, type StatusLine } from '../status-line.js';
import type { Ledger } from './ledger.js';
import type { Source } from './open-source.js';

const BAR_WIDTH = 24;
const TICK_MS = 250;

/** Shows how far an import is, and what it waits for. */
export class ImportProgress {
  readonly #line: StatusLine;
  readonly #giveUpAfter: number;
  readonly #startedAt = performance.now();
  #timer: NodeJS.Timeout | undefined;
  #outageAt: number | undefined;

  constructor(line: StatusLine, giveUpAfter: number) {
    this.#line = line;
    this.#giveUpAfter = giveUpAfter;
  }

  /** `readRecords` tells how many records of the source have been read, sent or not. */
  start(source: Source, ledger: Ledger, readRecords: () => number): void {
    const { records: skipped } = ledger;
    const startedAt = performance.now();
    const draw = (columns: number) => {
      const seconds = (performance.now() - startedAt) / 1000;
      const speed = Math.max(0, ledger.records - skipped) / Math.max(seconds, 0.001);
      const share = shareOf(source, ledger.records, readRecords());
      const left =
        share !== undefined && share > 0 && seconds > 1 ? (seconds * (1 - share)) / share : undefined;
      return this.#line.isTerminal
        ? this.#bar({ share, speed, left, columns }, source, ledger)
        : this.#sentence({ share, speed, left }, source, ledger);
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

  /** Several requests fail in one outage; it is told once. */
  waitFor({ error, delayMs }: Retry): void {
    if (this.#outageAt !== undefined) return;
    this.#outageAt = performance.now();
    const next = delayMs > 1_000 ? ` in ${duration(delayMs / 1000)}` : '';
    this.#line.say(`${error.message} Trying again${next}, for up to ${duration(this.#giveUpAfter)}.`);
  }

  answered(): void {
    if (this.#outageAt === undefined) return;
    const seconds = (performance.now() - this.#outageAt) / 1000;
    this.#outageAt = undefined;
    this.#line.say(`The server answers again, after ${duration(seconds)}.`);
  }

  #bar({ share, speed, left, columns }: View, { bytesRead }: Source, { records, counts }: Ledger): string {
    const parts = [
      `${grouped(records)} records`,
      this.#waiting ?? `${grouped(Math.round(speed))}/s`,
      `${grouped(counts.refused)} refused`,
      ...(share === undefined ? [`${megabytes(bytesRead)} read`] : []),
      ...(left === undefined ? [] : [`${duration(left)} left`]),
    ];
    const text = parts.join('  ');
    if (share === undefined) return text;
    const percent = `${String(Math.floor(100 * share)).padStart(3)} %`;
    const width = Math.min(BAR_WIDTH, columns - percent.length - text.length - 4);
    const full = Math.round(share * width);
    const bar = width < 4 ? '' : `${'█'.repeat(full)}${'░'.repeat(width - full)}  `;
    return `${percent}  ${bar}${text}`;
  }

  #sentence(
    { share, speed, left }: Omit<View, 'columns'>,
    source: Source,
    { records, counts }: Ledger,
  ): string {
    const how = share === undefined ? megabytes(source.bytesRead) : `${Math.floor(100 * share)} %`;
    const end = left === undefined ? '' : `, ${duration(left)} left`;
    const pace = this.#waiting ?? `${grouped(Math.round(speed))} a second`;
    return `${source.name}: ${grouped(records)} records (${how}), ${pace}, ${grouped(counts.refused)} refused${end}`;
  }

  get #waiting(): string | undefined {
    if (this.#outageAt === undefined) return undefined;
    return `waiting for the server, ${duration((performance.now() - this.#outageAt) / 1000)}`;
  }
}

interface View {
  readonly share: number | undefined;
  readonly speed: number;
  readonly left: number | undefined;
  readonly columns: number;
}

/** The bytes tell how much is read; of that, the records tell how much is done. */
function shareOf({ size, bytesRead }: Source, done: number, read: number): number | undefined {
  if (size === undefined || size === 0 || read === 0) return undefined;
  return Math.min(1, (bytesRead / size) * (done / read));
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

export function duration(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} min ${whole % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
