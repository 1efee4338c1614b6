import type { Json } from '@account-sync/client';
import { type AttributeType, readValue } from '../../../domain/attribute-types.js';
import type { Reading } from './reading.js';
import { TextMemo } from './text-memo.js';

/** Whether blanks are an empty cell: only a text can consist of them. The empty text, which JSON has, is a value. */
export function isBlank(text: string, attribute: AttributeType | undefined): boolean {
  return attribute !== undefined && attribute.type !== 'text' && text !== '' && text.trim() === '';
}

/** Turns the texts of a column into values to send. */
export class Conversion {
  readonly #attribute: AttributeType | undefined;
  readonly #readings: readonly Reading[];
  /** Whether what the server accepts is sent as it is. */
  readonly #isServerFirst: boolean;
  readonly #values: ReadonlyMap<string, string | null>;
  readonly #valueOfText = new TextMemo<Json>();

  constructor(
    attribute: AttributeType | undefined,
    readings: readonly Reading[],
    isServerFirst = true,
    values: ReadonlyMap<string, string | null> = new Map(),
  ) {
    this.#attribute = attribute;
    this.#readings = readings;
    this.#isServerFirst = isServerFirst;
    this.#values = values;
  }

  /** With these values of `--convert field=from:to`: what replaces a value is read like the others. */
  with(values: ReadonlyMap<string, string | null>): Conversion {
    return new Conversion(this.#attribute, this.#readings, this.#isServerFirst, values);
  }

  /** What no reading understands is sent as it is, so that the server rejects it. */
  apply(text: string): Json {
    return this.#valueOfText.get(text, (each) => this.#convert(each));
  }

  #convert(text: string): Json {
    const replaced = this.#values.get(text.trim());
    if (replaced === null) return null;
    return this.#read(replaced ?? text);
  }

  #read(text: string): Json {
    const attribute = this.#attribute;
    if (this.#isServerFirst && attribute !== undefined && readValue(text, attribute) !== undefined)
      return text;
    if (isBlank(text, attribute)) return null;
    for (const { read } of this.#readings) {
      const value = read(text.trim());
      if (value !== undefined) return value;
    }
    return text;
  }
}
