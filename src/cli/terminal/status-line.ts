import { grouped } from '../../domain/text.js';
import { printable, printableLines } from './printable.js';

const REDRAW_MS = 100;
const LINE_MS = 5_000;
const CLEAR = '\r\u001b[K';

/**
 * Shows progress on standard error: on a terminal as one line that is redrawn every 100 ms, otherwise as a new line
 * every 5 seconds.
 */
export class StatusLine {
  readonly isTerminal = process.stderr.isTTY === true && process.env.TERM !== 'dumb';
  readonly #isQuiet: boolean;
  #drawnAt = performance.now();
  #isOpen = false;

  constructor({ isQuiet = false }: { readonly isQuiet?: boolean } = {}) {
    this.#isQuiet = isQuiet;
  }

  /** Draws the line if it is due; always draws the last one. */
  show(draw: (columns: number) => string, isLast = false): void {
    if (this.#isQuiet) return;
    const now = performance.now();
    if (!isLast && now - this.#drawnAt < (this.isTerminal ? REDRAW_MS : LINE_MS)) return;
    this.#drawnAt = now;
    const columns = this.isTerminal ? process.stderr.columns || 80 : Number.POSITIVE_INFINITY;
    // The last column stays empty, because some terminals wrap the line when it is used.
    const line = printable(draw(columns - 1)).slice(0, columns - 1);
    this.#isOpen = this.isTerminal && !isLast;
    process.stderr.write(this.isTerminal ? `${CLEAR}${line}${isLast ? '\n' : ''}` : `${line}\n`);
  }

  /** Restarts the interval until the next line. */
  postpone(): void {
    this.#drawnAt = performance.now();
  }

  /** Prints a permanent line above the status line. */
  log(line: string): void {
    if (this.#isQuiet) return;
    this.clear();
    process.stderr.write(`${printableLines(line)}\n`);
  }

  clear(): void {
    if (this.#isOpen) process.stderr.write(CLEAR);
    this.#isOpen = false;
  }
}

/** Shows the progress of consecutive tasks of known size. */
export class Progress {
  readonly #line = new StatusLine();
  #subject = '';
  #startedAt = 0;
  #doneAtStart = 0;

  /** `subject` names the task; a new one restarts the measurement of the speed. */
  show(subject: string, done: number, total: number): void {
    if (subject !== this.#subject) {
      this.#subject = subject;
      this.#startedAt = performance.now();
      this.#doneAtStart = done;
      this.#line.postpone();
    }
    this.#line.show(
      () => {
        const seconds = (performance.now() - this.#startedAt) / 1000;
        const speed = seconds > 0 ? Math.round((done - this.#doneAtStart) / seconds) : 0;
        const share = Math.floor((100 * done) / total);
        return `${subject}: ${grouped(done)} of ${grouped(total)} (${share} %), ${grouped(speed)} a second`;
      },
      done >= total && total > 0,
    );
  }
}
