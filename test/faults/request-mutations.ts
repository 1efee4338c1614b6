import type { SeededRandom } from './seeded-random.js';

/** Bytes with a special meaning in HTTP, JSON or URLs. */
const SPECIAL_BYTES = [
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

type Mutation = (request: string, random: SeededRandom) => string;

const positionIn = (text: string, random: SeededRandom) => random.below(text.length + 1);

/** Each mutation changes the bytes of a request; one character is one byte. */
const MUTATIONS: readonly Mutation[] = [
  (text, random) => {
    const position = positionIn(text, random);
    return text.slice(0, position) + String.fromCharCode(random.below(256)) + text.slice(position + 1);
  },
  (text, random) => {
    const position = positionIn(text, random);
    return text.slice(0, position) + random.pick(SPECIAL_BYTES) + text.slice(position + random.below(2));
  },
  (text, random) => text.slice(0, positionIn(text, random)),
  (text, random) => {
    const [from, to] = [positionIn(text, random), positionIn(text, random)].sort((a, b) => a - b) as [
      number,
      number,
    ];
    return text.slice(0, from) + text.slice(to);
  },
  (text, random) => {
    const [from, to] = [positionIn(text, random), positionIn(text, random)].sort((a, b) => a - b) as [
      number,
      number,
    ];
    return text.slice(0, to) + text.slice(from, to).repeat(1 + random.below(20)) + text.slice(to);
  },
  (text, random) => text.replace('\r\n', `\r\n${random.pick(HEADERS)}\r\n`),
  (text, random) => {
    const end = text.indexOf('\r\n\r\n');
    const lines = text.slice(0, end).split('\r\n');
    const [one, other] = [1 + random.below(lines.length - 1), 1 + random.below(lines.length - 1)];
    [lines[one], lines[other]] = [lines[other] ?? '', lines[one] ?? ''];
    if (random.isChance(0.3)) lines.splice(one, 1);
    return end === -1 ? text : lines.join('\r\n') + text.slice(end);
  },
  (text, random) => text.replace(/^\w+/, random.pick(METHODS)),
  (text, random) => text.replace(/Content-Length: \d+/, () => `Content-Length: ${random.below(200)}`),
  (text, random) => {
    const end = text.indexOf('\r\n\r\n') + 4;
    const size = random.pick([
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
  (text, random) =>
    text.replace(
      / \/\S*/,
      (path) => path + random.pick(['%', '%00', '%zz', '/..', '?a=%ff', '#', '?limit=-1', '//', '?cursor=x']),
    ),
  (text, random) => text + text.slice(positionIn(text, random)),
];

/** Applies one to four random mutations to a valid request. */
export function mutate(request: string, random: SeededRandom): string {
  let mutated = request;
  for (let n = random.below(4); n >= 0; n -= 1) mutated = random.pick(MUTATIONS)(mutated, random);
  return mutated;
}
