/** Where characters are next in a text. Asked for places that only grow, it looks at no part of the text twice. */
export class Occurrences {
  readonly #text: string;
  readonly #character: string;
  #next = -1;

  constructor(text: string, character: string) {
    this.#text = text;
    this.#character = character;
  }

  /** The length of the text where there is none any more. */
  from(place: number): number {
    if (this.#next < place) {
      const next = this.#text.indexOf(this.#character, place);
      this.#next = next === -1 ? this.#text.length : next;
    }
    return this.#next;
  }
}
