/** Worth a write, and too little to be missed in memory. */
const ENOUGH_CHARACTERS = 65_536;

/** Joins pieces of text that come in quick succession: sent one by one, each would cost a write and a read. */
export async function* gather(pieces: AsyncGenerator<string | Uint8Array>): AsyncGenerator<Uint8Array> {
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
      while (text.length < ENOUGH_CHARACTERS) {
        next ??= pieces.next();
        const soon = await Promise.race([next, pause]);
        if (typeof soon?.value !== 'string') break;
        text += soon.value;
        next = undefined;
      }
      // A source that never pauses would keep the event loop from reading the answer.
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
