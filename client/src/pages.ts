import type { Call, Connection } from './connection.js';
import type { Page } from './wire.js';

/** The pages of a list. Each page is requested only when the caller reads on. */
export async function* pagesOf<Wire extends Page<unknown>>(
  connection: Connection,
  call: Call,
): AsyncGenerator<Wire> {
  let cursor: string | null | undefined;
  do {
    const page: Wire = await connection.json({ ...call, query: { ...call.query, cursor } });
    yield page;
    cursor = page.next;
  } while (cursor !== null);
}

export async function* itemsOf<Item>(connection: Connection, call: Call): AsyncGenerator<Item> {
  for await (const { data } of pagesOf<Page<Item>>(connection, call)) yield* data;
}
