import { isIP } from 'node:net';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the setting of this name, without its prefix. `rule` continues the sentence of the problem. */
export type ReadSetting = <T>(
  name: string,
  fallback: T,
  parse: (text: string) => T | undefined,
  rule: string,
) => T;

/** Every invalid value adds a sentence to `problems`. */
export function settingReader(env: Environment, problems: string[]): ReadSetting {
  return (name, fallback, parse, rule) => {
    const text = env[`ACCOUNT_SYNC_${name}`]?.trim();
    // An empty variable counts as unset, because container files often leave variables empty.
    if (text === undefined || text === '') return fallback;
    const value = parse(text);
    if (value !== undefined) return value;
    problems.push(`ACCOUNT_SYNC_${name} ${rule}; it is ${JSON.stringify(text)}.`);
    return fallback;
  };
}

/* Parsers of setting values: each returns `undefined` if the text does not have its form. */

export function integer(min: number, max: number): (text: string) => number | undefined {
  return (text) => {
    const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    return number >= min && number <= max ? number : undefined;
  };
}

export function oneOf<T extends string>(values: readonly T[]): (text: string) => T | undefined {
  return (text) => values.find((value) => value === text);
}

export function list<T>(parse: (text: string) => T | undefined): (text: string) => T[] | undefined {
  return (text) => {
    const items = text.split(',').map((item) => parse(item.trim()));
    return items.every((item) => item !== undefined) ? (items as T[]) : undefined;
  };
}

export function asHost(text: string): string | undefined {
  return isIP(text) !== 0 || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text) ? text : undefined;
}

export function asOrigin(text: string): string | undefined {
  if (text === '*') return text;
  return URL.canParse(text) && new URL(text).origin === text ? text : undefined;
}

export function asPublicUrl(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isAddress = url !== undefined && /^https?:$/.test(url.protocol) && `${url.origin}/` === url.href;
  return isAddress ? url.origin : undefined;
}

export function asNetwork(text: string): string | undefined {
  const [address = '', prefix, ...rest] = text.split('/');
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  const fits =
    prefix === undefined || (/^\d+$/.test(prefix) && Number(prefix) >= 1 && Number(prefix) <= bits);
  return bits > 0 && fits && rest.length === 0 ? text : undefined;
}
