import type { Chance } from './chance.js';

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
const NO_JSON = [
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
const WHITE = ['', '', '', ' ', '\n', '\r\n\t', ' '.repeat(100)];

/** Texts that are JSON of every kind, or not quite. */
export class OddJson {
  readonly #chance: Chance;

  constructor(chance: Chance) {
    this.#chance = chance;
  }

  value(depth = 0): string {
    const chance = this.#chance;
    if (chance.isChance(0.02)) return chance.pick(NO_JSON);
    if (chance.isChance(0.01)) return '['.repeat(40) + ']'.repeat(chance.pick([39, 40, 41]));
    if (depth > 4 || chance.isChance(0.7)) return chance.pick(SCALARS);
    const inner = () => this.value(depth + 1);
    if (chance.isChance(0.5))
      return `[${chance.times(chance.isChance(0.02) ? 2_000 : 4, inner).join(this.#comma())}]`;
    return this.object(chance.times(4, () => [chance.pick(KEYS), inner()] as const));
  }

  /** Of members that are JSON themselves. */
  object(members: readonly (readonly [key: string, value: string])[]): string {
    const texts = members.map(([key, value]) => `"${key}"${this.#white()}:${this.#white()}${value}`);
    return `{${this.#white()}${texts.join(this.#comma())}${this.#white()}}`;
  }

  /** A body as somebody might send it who did not look. */
  spoilt(text: string): string {
    const chance = this.#chance;
    if (chance.isChance(0.8)) return text;
    return chance.pick([
      () => `\uFEFF${text}`,
      () => text.slice(0, chance.below(text.length)),
      () => text + text,
      () => `${text},`,
      () => `${this.#white()}${text}${this.#white()}`,
      () => `${text}\0`,
      () => text.replaceAll('"', "'"),
      () => '',
      () => '   ',
    ])();
  }

  #comma(): string {
    return `${this.#white()},${this.#white()}`;
  }

  #white(): string {
    return this.#chance.isChance(0.9) ? '' : this.#chance.pick(WHITE);
  }
}
