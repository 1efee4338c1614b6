export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** The source that owns an attribute, and what happens to different values of others. */
export interface Owner {
  readonly source: string;
  readonly others: 'reject' | 'keep';
}

export interface Attribute {
  readonly type: keyof typeof TYPES;
  readonly choices: readonly string[];
  readonly read_only: boolean;
  readonly index: 'none' | 'ready';
  readonly owner: Owner | null;
}

type Reader = (sent: Json, choices: readonly string[]) => Json | undefined;

/** Converts a sent value to the stored value of each type; `undefined` if it is invalid. */
const TYPES = {
  text: (sent) => (typeof sent === 'string' && isText(sent) && [...sent].length <= 65_535 ? sent : undefined),
  integer: (sent) => {
    const number = matches(sent, /^\s*[+-]?\d+(\.0+)?\s*$/) ? Number(sent) : sent;
    return Number.isSafeInteger(number) ? Number(number) + 0 : undefined;
  },
  decimal: (sent) => {
    const number = matches(sent, /^\s*[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?\s*$/i) ? Number(sent) : sent;
    return typeof number === 'number' && Number.isFinite(number) ? number + 0 : undefined;
  },
  boolean: (sent) => {
    const word = typeof sent === 'string' ? sent.toLowerCase() : JSON.stringify(sent);
    return word === '1' || word === 'true' ? true : word === '0' || word === 'false' ? false : undefined;
  },
  date: (sent) => (matches(sent, /^\d{4}-\d\d-\d\d$/) && isDay(sent) ? sent : undefined),
  datetime: (sent) => {
    const parts = typeof sent === 'string' ? DATETIME.exec(sent) : null;
    if (parts === null || !isDay(parts[1] ?? '')) return undefined;
    const [, day, minute, second = ':00', fraction = '', offset = 'Z'] = parts;
    return new Date(`${day}T${minute}${second}.${`${fraction}000`.slice(0, 3)}${offset}`).toISOString();
  },
  choice: (sent, choices) => (typeof sent === 'string' && choices.includes(sent) ? sent : undefined),
} satisfies Record<string, Reader>;

const DATETIME =
  /^(\d{4}-\d\d-\d\d)[Tt ]((?:[01]\d|2[0-3]):[0-5]\d)(?:(:[0-5]\d)(?:\.(\d+))?)?(Z|[+-]\d\d:\d\d)?$/;

export const TYPE_NAMES = Object.keys(TYPES) as Attribute['type'][];

export const storedValue = (sent: Json, { type, choices }: Attribute): Json | undefined =>
  (TYPES[type] as Reader)(sent, choices);

function matches(sent: Json, pattern: RegExp): sent is string {
  return typeof sent === 'string' && pattern.test(sent);
}

function isDay(day: string): boolean {
  const at = new Date(day);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day);
}

export function isObject(value: Json): value is { [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether the databases can store all characters. */
export function isText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** Which type a value of an undeclared field violates; `undefined` if it can be stored. */
export function invalidTypeIn(value: Json): 'integer' | 'text' | undefined {
  if (typeof value === 'string') return isText(value) ? undefined : 'text';
  if (typeof value === 'number')
    return Number.isInteger(value) && !Number.isSafeInteger(value) ? 'integer' : undefined;
  const inside = Object.entries(value ?? {}).flat();
  return typeof value === 'object' ? inside.map(invalidTypeIn).find((type) => type !== undefined) : undefined;
}
