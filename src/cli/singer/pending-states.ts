/** The most requests that can be in progress: more states would not be written sooner, and a state can be large. */
const MOST = 16;

/**
 * States that wait until every record before them is settled. A state covers the records up to its position, their
 * number from the start of the input. Where many wait, later ones replace each other: the specification allows it.
 */
export class PendingStates {
  readonly #states: { readonly position: number; readonly value: string }[] = [];

  add(position: number, value: string): void {
    if (this.#states.length === MOST || this.#states.at(-1)?.position === position) this.#states.pop();
    this.#states.push({ position, value });
  }

  /** The latest state that covers settled records only; removes it and those before it. */
  take(settled: number): string | undefined {
    let value: string | undefined;
    for (
      let [first] = this.#states;
      first !== undefined && first.position <= settled;
      [first] = this.#states
    ) {
      value = first.value;
      this.#states.shift();
    }
    return value;
  }
}
