/** Sends a request whose response is lines; resolves when it has come so far, and not to its end. */
export async function beginStream(
  url: string,
  init: RequestInit,
  hasReached: (text: string) => boolean,
): Promise<{ readonly rest: () => Promise<string> }> {
  const response = await fetch(url, init);
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let text = '';
  const next = async () => {
    const { value, done } = await reader.read();
    text += decoder.decode(value, { stream: true });
    return done;
  };
  while (!hasReached(text)) if (await next()) throw new Error(`It was not interrupted: ${text.slice(-500)}`);
  const rest = async () => {
    while (!(await next()));
    return text;
  };
  return { rest };
}
