import { grouped, StatusLine } from './status-line.js';

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
