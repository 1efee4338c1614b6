/** Called before and after each wait for bytes, so that the caller can limit its time. */
export interface WaitHooks {
  readonly before: () => void;
  readonly after: () => void;
}

/** Iterates a stream, which not every browser can do itself. Cancels the stream when the caller stops early. */
export async function* piecesOf<Piece>(
  stream: ReadableStream<Piece>,
  waits?: WaitHooks,
): AsyncGenerator<Piece> {
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
    // cancel() of a failed stream rejects with the error that read() has thrown already.
    reader.cancel().catch(() => {});
  }
}

/** Splits text that comes in pieces into lines. Lines end with LF or CRLF; the last line may have no end. */
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
