const REDRAW_MS = 100;
const LINE_MS = 5_000;

/** Says on standard error how far long work is: on a terminal in one line that changes, else in a line now and then. */
export class Progress {
  readonly #isTerminal = process.stderr.isTTY === true;
  #saidAt = 0;
  #subject = '';
  #startedAt = 0;
  #startedWith = 0;

  /** `subject` is what is being worked on; with each new one the speed is counted anew. */
  show(subject: string, done: number, total: number): void {
    const now = performance.now();
    if (subject !== this.#subject) {
      this.#subject = subject;
      this.#startedAt = now;
      this.#startedWith = done;
      this.#saidAt = now;
    }
    const isLast = done >= total && total > 0;
    if (!isLast && now - this.#saidAt < (this.#isTerminal ? REDRAW_MS : LINE_MS)) return;
    this.#saidAt = now;
    const seconds = (now - this.#startedAt) / 1000;
    const speed = seconds > 0 ? Math.round((done - this.#startedWith) / seconds) : 0;
    const share = Math.floor((100 * done) / total);
    const line = `${subject}: ${grouped(done)} of ${grouped(total)} (${share} %), ${grouped(speed)} a second`;
    process.stderr.write(this.#isTerminal ? `\r\u001b[K${line}${isLast ? '\n' : ''}` : `${line}\n`);
  }
}

function grouped(number: number): string {
  return number.toLocaleString('en-US');
}
