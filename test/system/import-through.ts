import { withoutNumbers } from '../cli/import-caller.js';
import { type RequestHandler, ScriptedServer } from '../client/scripted-server.js';
import { type Finished, run } from '../support/service.js';
import { messagesIn } from './messages-in.js';

export interface Told extends Pick<Finished, 'status' | 'stdout'> {
  /** The lines on standard error, with `URL` instead of the server address. */
  readonly said: readonly string[];
}

/** Imports a file through a server that sends these responses. */
export async function importThrough(
  answers: readonly RequestHandler[],
  path: string,
  key: string,
): Promise<Told> {
  const server = await ScriptedServer.start(answers);
  const url = `http://127.0.0.1:${server.port}`;
  const finished = await run(['import', path, '--url', url], { ACCOUNT_SYNC_KEY: key });
  const { status, stdout, stderr } = withoutNumbers(finished);
  await server.stop();
  return { status, stdout, said: messagesIn(stderr.replaceAll(url, 'URL')) };
}
