import { grouped } from '../../domain/text.js';
import { printable, printableLines } from './printable.js';

const REDRAW_MS = 100;
const LINE_MS = 5_000;
const CLEAR = '\r\u001b[K';

/** Says on standard error how long work goes: on a terminal in one line that changes, else in a line now and then. */
export class StatusLine {
  readonly isTerminal = process.stderr.isTTY === true && process.env.TERM !== 'dumb';
  readonly #isQuiet: boolean;
  #drawnAt = performance.now();
  #isOpen = false;

  constructor({ isQuiet = false }: { readonly isQuiet?: boolean } = {}) {
    this.#isQuiet = isQuiet;
  }

  /** Draws when it is time to, and in any case what is drawn for the last time. */
  show(draw: (columns: number) => string, isLast = false): void {
    if (this.#isQuiet) return;
    const now = performance.now();
    if (!isLast && now - this.#drawnAt < (this.isTerminal ? REDRAW_MS : LINE_MS)) return;
    this.#drawnAt = now;
    const columns = this.isTerminal ? process.stderr.columns || 80 : Number.POSITIVE_INFINITY;
    // The last column stays free: some terminals begin a new line with it.
    const line = printable(draw(columns - 1)).slice(0, columns - 1);
    this.#isOpen = this.isTerminal && !isLast;
    process.stderr.write(this.isTerminal ? `${CLEAR}${line}${isLast ? '\n' : ''}` : `${line}\n`);
  }

  /** The next line is not due before some time has passed. */
  postpone(): void {
    this.#drawnAt = performance.now();
  }

  /** A line that stays, above the one that changes. */
  say(line: string): void {
    if (this.#isQuiet) return;
    this.clear();
    process.stderr.write(`${printableLines(line)}\n`);
  }

  clear(): void {
    if (this.#isOpen) process.stderr.write(CLEAR);
    this.#isOpen = false;
  }
}

/** How far each of several pieces of work is whose size is known. */
export class Progress {
  readonly #line = new StatusLine();
  #subject = '';
  #startedAt = 0;
  #startedWith = 0;

  /** `subject` is what is being worked on; with each new one the speed is counted anew. */
  show(subject: string, done: number, total: number): void {
    if (subject !== this.#subject) {
      this.#subject = subject;
      this.#startedAt = performance.now();
      this.#startedWith = done;
      this.#line.postpone();
    }
    this.#line.show(
      () => {
        const seconds = (performance.now() - this.#startedAt) / 1000;
        const speed = seconds > 0 ? Math.round((done - this.#startedWith) / seconds) : 0;
        const share = Math.floor((100 * done) / total);
        return `${subject}: ${grouped(done)} of ${grouped(total)} (${share} %), ${grouped(speed)} a second`;
      },
      done >= total && total > 0,
    );
  }
}
