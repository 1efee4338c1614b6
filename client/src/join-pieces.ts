/** Large enough to make a write worthwhile, and small compared with the memory of any caller. */
const MAX_JOINED_CHARACTERS = 65_536;

/**
 * Joins pieces of text that the source yields within one turn of the event loop into one piece. Sent one by one, each
 * would cost a write here and a read in the server.
 */
export async function* joinPieces(pieces: AsyncGenerator<string | Uint8Array>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  let next: ReturnType<typeof pieces.next> | undefined;
  try {
    for (;;) {
      next ??= pieces.next();
      const { done, value } = await next;
      next = undefined;
      if (done) return;
      if (typeof value !== 'string') {
        yield value;
        continue;
      }
      let text = value;
      const pause = shortPause();
      while (text.length < MAX_JOINED_CHARACTERS) {
        next ??= pieces.next();
        const soon = await Promise.race([next, pause]);
        if (typeof soon?.value !== 'string') break;
        text += soon.value;
        next = undefined;
      }
      // Without this pause, a source that never waits would keep the event loop from reading the response.
      await pause;
      yield encoder.encode(text);
    }
  } finally {
    pieces.return(undefined).catch(() => {});
  }
}

function shortPause(): Promise<undefined> {
  return new Promise((resolve) => {
    setTimeout(resolve, 0);
  });
}
