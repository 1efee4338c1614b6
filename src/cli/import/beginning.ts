/** The first bytes, as many as asked for where there are as many, and all of them, the first included. */
export async function begin(
  bytes: AsyncIterable<Buffer>,
  length: number,
): Promise<{ readonly first: Buffer; readonly all: AsyncGenerator<Buffer, void> }> {
  const rest = bytes[Symbol.asyncIterator]();
  const pieces: Buffer[] = [];
  for (let missing = length; missing > 0; ) {
    const { value, done } = await rest.next();
    if (done) break;
    pieces.push(value);
    missing -= value.length;
  }
  const first = Buffer.concat(pieces);
  return { first, all: continued(first, rest) };
}

/** What was taken from the beginning, and the rest, which is let go of when nobody reads on. */
export async function* continued<T extends Buffer | string>(
  first: T,
  rest: AsyncIterator<T>,
): AsyncGenerator<T, void> {
  try {
    if (first.length > 0) yield first;
    yield* { [Symbol.asyncIterator]: () => rest };
  } finally {
    await rest.return?.();
  }
}
