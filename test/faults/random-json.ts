import type { SeededRandom } from './seeded-random.js';

const SCALARS = [
  'null',
  'true',
  'false',
  '0',
  '-0',
  '1',
  '25',
  '1.5',
  '-1E+2',
  '1e400',
  '-1e400',
  '1e-400',
  '9007199254740993',
  '9'.repeat(400),
  '0.1000000000000000055511151231257827',
  '""',
  '" "',
  '"1"',
  '"true"',
  '"gold"',
  '"2026-11-15"',
  '"2026-11-15T10:00:00Z"',
  '"\\u0000"',
  '"\\ud800"',
  '"\\udc00\\ud800"',
  '"😀\\ud83d\\ude00"',
  '"\\u202eevil"',
  '"é e\\u0301 ẞ İ ﬁ"',
  '"\\u2028\\n\\t\\\\"',
  `"${'x'.repeat(192)}"`,
  `"${'é'.repeat(70_000)}"`,
];
const INVALID_JSON = [
  '01',
  '+1',
  '.5',
  '1.',
  'NaN',
  'undefined',
  'tru',
  '"\\x41"',
  '"\n"',
  "'a'",
  '{a:1}',
  '[1,]',
  '/**/1',
  '',
];
const KEYS = [
  '',
  '7',
  'a',
  'constructor',
  'toString',
  '__proto__',
  '\\u005f_proto__',
  '\\u0000',
  '\\ud800',
  'ключ',
  'created_at',
];
const WHITE_SPACE = ['', '', '', ' ', '\n', '\r\n\t', ' '.repeat(100)];

/** Generates JSON of every kind, and texts that are almost JSON. */
export class RandomJson {
  readonly #random: SeededRandom;

  constructor(random: SeededRandom) {
    this.#random = random;
  }

  value(depth = 0): string {
    const random = this.#random;
    if (random.isChance(0.02)) return random.pick(INVALID_JSON);
    if (random.isChance(0.01)) return '['.repeat(40) + ']'.repeat(random.pick([39, 40, 41]));
    if (depth > 4 || random.isChance(0.7)) return random.pick(SCALARS);
    if (random.isChance(0.01)) return `[${'{},'.repeat(random.below(2_000))}{}]`;
    const inner = () => this.value(depth + 1);
    if (random.isChance(0.5)) return `[${random.times(4, inner).join(this.#comma())}]`;
    return this.object(random.times(4, () => [random.pick(KEYS), inner()] as const));
  }

  /** An object with these members, whose values are JSON texts. */
  object(members: readonly (readonly [key: string, value: string])[]): string {
    const texts = members.map(
      ([key, value]) => `"${key}"${this.#whiteSpace()}:${this.#whiteSpace()}${value}`,
    );
    return `{${this.#whiteSpace()}${texts.join(this.#comma())}${this.#whiteSpace()}}`;
  }

  /** Corrupts one text in five, in ways that careless clients do. */
  corrupt(text: string): string {
    const random = this.#random;
    if (random.isChance(0.8)) return text;
    return random.pick([
      () => `\uFEFF${text}`,
      () => text.slice(0, random.below(text.length)),
      () => text + text,
      () => `${text},`,
      () => `${this.#whiteSpace()}${text}${this.#whiteSpace()}`,
      () => `${text}\0`,
      () => text.replaceAll('"', "'"),
      () => '',
      () => '   ',
    ])();
  }

  #comma(): string {
    return `${this.#whiteSpace()},${this.#whiteSpace()}`;
  }

  #whiteSpace(): string {
    return this.#random.isChance(0.9) ? '' : this.#random.pick(WHITE_SPACE);
  }
}
