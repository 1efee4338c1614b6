/** Around each wait for bytes, for whoever measures how long it takes. */
export interface Waits {
  readonly before: () => void;
  readonly after: () => void;
}

/** By hand, because not every browser can iterate a stream; gives the stream up when it is left early. */
export async function* piecesOf<Piece>(stream: ReadableStream<Piece>, waits?: Waits): AsyncGenerator<Piece> {
  const reader = stream.getReader();
  try {
    for (;;) {
      waits?.before();
      const { done, value } = await reader.read();
      waits?.after();
      if (done) return;
      yield value;
    }
  } finally {
    // A stream that failed says so again here; the failure itself has been thrown already.
    reader.cancel().catch(() => {});
  }
}

/** The lines of a text that comes in pieces, ended by LF or CRLF; the last may have no end. */
export async function* linesOf(pieces: AsyncIterable<Uint8Array | string>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const piece of pieces) {
    const text = typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true });
    rest += text;
    if (!text.includes('\n')) continue;
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield line.endsWith('\r') ? line.slice(0, -1) : line;
  }
  rest += decoder.decode();
  if (rest !== '') yield rest;
}
