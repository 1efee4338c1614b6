const HEAD_END = '\r\n\r\n';

export interface ParsedResponse {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** Parses the complete responses of a connection; throws if they are not valid HTTP. */
export function parseResponses(text: string): { responses: ParsedResponse[]; isCut: boolean } {
  const responses: ParsedResponse[] = [];
  let rest = text;
  while (rest !== '') {
    const end = rest.indexOf(HEAD_END);
    if (end === -1) {
      if (!'HTTP/1.1 '.startsWith(rest.slice(0, 9))) throw new Error(`not a response: ${rest.slice(0, 200)}`);
      return { responses, isCut: true };
    }
    const [statusLine = '', ...lines] = rest.slice(0, end).split('\r\n');
    const [, status] = /^HTTP\/1\.1 (\d{3}) [\x20-\x7e]+$/.exec(statusLine) ?? [];
    if (status === undefined) throw new Error(`no status: ${statusLine}`);
    const headers = new Map(lines.map(parseHeader));
    rest = rest.slice(end + HEAD_END.length);
    const body = bodyOf(Number(status), headers, rest);
    if (body === undefined) return { responses, isCut: true };
    responses.push({ status: Number(status), headers, body: body.text });
    rest = rest.slice(body.length);
  }
  return { responses, isCut: false };
}

function parseHeader(line: string): [string, string] {
  const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+): ?([\x20-\x7e\x80-\xff]*)$/.exec(line) ?? [];
  if (name === undefined || value === undefined) throw new Error(`no header: ${JSON.stringify(line)}`);
  return [name.toLowerCase(), value];
}

interface Body {
  readonly text: string;
  /** The length including the chunk framing. */
  readonly length: number;
}

/** `undefined` if the body is incomplete. */
function bodyOf(status: number, headers: ReadonlyMap<string, string>, rest: string): Body | undefined {
  if (status === 100 || status === 204 || status === 304) return { text: '', length: 0 };
  if (headers.get('transfer-encoding') === 'chunked') return chunksOf(rest);
  const length = Number(headers.get('content-length'));
  if (!Number.isSafeInteger(length)) throw new Error(`no length: ${JSON.stringify([...headers])}`);
  // A response to HEAD announces the length of a body, but has no body.
  if (rest.startsWith('HTTP/1.1 ') || (rest === '' && length > 0)) return { text: '', length: 0 };
  return rest.length < length ? undefined : { text: rest.slice(0, length), length };
}

function chunksOf(rest: string): Body | undefined {
  let text = '';
  let at = 0;
  for (;;) {
    const end = rest.indexOf('\r\n', at);
    if (end === -1) return undefined;
    const digits = rest.slice(at, end);
    if (!/^[0-9a-f]+$/i.test(digits)) throw new Error(`no chunk: ${JSON.stringify(digits)}`);
    const size = Number.parseInt(digits, 16);
    const next = end + 2 + size + 2;
    if (rest.length < next) return undefined;
    if (size === 0) return { text, length: next };
    text += rest.slice(end + 2, end + 2 + size);
    at = next;
  }
}
