import type { Call, Connection } from './connection.js';
import { Deadline } from './deadline.js';
import { linesOf, piecesOf } from './lines.js';

/**
 * Makes one attempt of a call whose response is lines of JSON. The time limit applies while the server is silent.
 * `read` gets a function that sends the request.
 */
export async function receiveLines<Result>(
  connection: Connection,
  call: Call,
  read: (send: () => Promise<AsyncIterable<string>>, deadline: Deadline) => Promise<Result>,
): Promise<Result> {
  const deadline = new Deadline(call.signal);
  const waits = { before: () => deadline.start(connection.timeoutMs), after: () => deadline.stop() };
  try {
    waits.before();
    return await read(async () => {
      const response = await connection.open(call, deadline);
      waits.after();
      return linesOf(piecesOf(response.body as ReadableStream<Uint8Array>, waits));
    }, deadline);
  } catch (error) {
    throw connection.explain(error, call, deadline);
  } finally {
    deadline.close();
  }
}
