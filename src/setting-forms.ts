/** What settings may look like: each gives the value of a text, or `undefined` where it has another form. */
import { isIP } from 'node:net';

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

export function asNetwork(text: string): string | undefined {
  const [address = '', prefix, ...rest] = text.split('/');
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  const fits =
    prefix === undefined || (/^\d+$/.test(prefix) && Number(prefix) >= 1 && Number(prefix) <= bits);
  return bits > 0 && fits && rest.length === 0 ? text : undefined;
}
