const ENOUGH = 65_536;

/** The same text in fewer, larger pieces: writing and compressing cost by the piece. */
export async function* gathered(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let text = '';
  for await (const piece of pieces) {
    text += piece;
    if (text.length < ENOUGH) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}
