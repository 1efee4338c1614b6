import type { Chance } from './chance.js';

/** Bytes that mean something to somebody on the way. */
const TELLING = [
  '\0',
  '\n',
  '\r',
  '\r\n',
  '\r\n\r\n',
  ' ',
  '\t',
  ':',
  ',',
  ';',
  '%',
  '"',
  '\\',
  '{',
  '}',
  '[',
  ']',
  '\xff',
  '\xc3',
  '\x7f',
];
const HEADERS = [
  'Content-Length: 0',
  'Content-Length: 7',
  'Content-Length: 99999999999999999999',
  'Content-Length: -1',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: chunked, identity',
  'Transfer-Encoding: gzip, chunked',
  'Connection: close',
  'Connection: Upgrade',
  'Upgrade: h2c',
  'Expect: 100-continue',
  'Expect: luck',
  'Host: b',
  'Content-Type: text/plain',
  'Content-Type: application/x-ndjson',
  'Content-Encoding: gzip',
  'Accept: text/event-stream',
  'If-None-Match: *',
  'Last-Event-ID: 0-99999999999999999',
  'Cookie: account_sync_session=x',
  'X-Request-Id: \xe9',
  'Range: bytes=0-1',
];
const METHODS = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'CONNECT',
  'PRI',
  'QUERY',
];

type Mutation = (request: string, chance: Chance) => string;

const at = (text: string, chance: Chance) => chance.below(text.length + 1);

/** Each gives other bytes; a character is a byte. */
const MUTATIONS: readonly Mutation[] = [
  (text, chance) => {
    const place = at(text, chance);
    return text.slice(0, place) + String.fromCharCode(chance.below(256)) + text.slice(place + 1);
  },
  (text, chance) => {
    const place = at(text, chance);
    return text.slice(0, place) + chance.pick(TELLING) + text.slice(place + chance.below(2));
  },
  (text, chance) => text.slice(0, at(text, chance)),
  (text, chance) => {
    const [from, to] = [at(text, chance), at(text, chance)].sort((a, b) => a - b) as [number, number];
    return text.slice(0, from) + text.slice(to);
  },
  (text, chance) => {
    const [from, to] = [at(text, chance), at(text, chance)].sort((a, b) => a - b) as [number, number];
    return text.slice(0, to) + text.slice(from, to).repeat(1 + chance.below(20)) + text.slice(to);
  },
  (text, chance) => text.replace('\r\n', `\r\n${chance.pick(HEADERS)}\r\n`),
  (text, chance) => {
    const end = text.indexOf('\r\n\r\n');
    const lines = text.slice(0, end).split('\r\n');
    const [one, other] = [1 + chance.below(lines.length - 1), 1 + chance.below(lines.length - 1)];
    [lines[one], lines[other]] = [lines[other] ?? '', lines[one] ?? ''];
    if (chance.isChance(0.3)) lines.splice(one, 1);
    return end === -1 ? text : lines.join('\r\n') + text.slice(end);
  },
  (text, chance) => text.replace(/^\w+/, chance.pick(METHODS)),
  (text, chance) => text.replace(/Content-Length: \d+/, () => `Content-Length: ${chance.below(200)}`),
  (text, chance) => {
    const end = text.indexOf('\r\n\r\n') + 4;
    const size = chance.pick([
      '0',
      '5',
      'ffffffff',
      'fffffffffffffffff',
      '-1',
      '0x5',
      ' 5',
      '5;a=b',
      (text.length - end).toString(16),
    ]);
    const chunked = `${text.slice(0, end)}${size}\r\n${text.slice(end)}\r\n0\r\n\r\n`;
    return chunked.replace(/Content-Length: \d+/, 'Transfer-Encoding: chunked');
  },
  (text, chance) =>
    text.replace(
      / \/\S*/,
      (path) => path + chance.pick(['%', '%00', '%zz', '/..', '?a=%ff', '#', '?limit=-1', '//', '?cursor=x']),
    ),
  (text, chance) => text + text.slice(at(text, chance)),
];

/** A request that was in order, and is not quite any more. */
export function mutate(request: string, chance: Chance): string {
  let mutated = request;
  for (let n = chance.below(4); n >= 0; n -= 1) mutated = chance.pick(MUTATIONS)(mutated, chance);
  return mutated;
}
