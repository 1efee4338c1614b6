/** A document of an OpenID provider has a few kilobytes; the keys of a large one, some dozens. */
const MAX_RESPONSE_BYTES = 1024 * 1024;

/**
 * `fetch` for servers that are not under our control: it reads the whole body, up to a size, before it returns, so that
 * the abort signal of the request limits the time for the body, too.
 */
export async function boundedFetch(
  url: string,
  // biome-ignore lint/suspicious/noExplicitAny: the library passes what `fetch` accepts, with types of its own.
  init: any,
): Promise<Response> {
  const { body, status, statusText, headers } = await fetch(url, init);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > MAX_RESPONSE_BYTES) throw new Error(`the response has more than ${MAX_RESPONSE_BYTES} bytes`);
    chunks.push(chunk);
  }
  return new Response(body && Buffer.concat(chunks), { status, statusText, headers });
}
