import { request } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { Answer } from '../client/scripted-server.js';

/** What the server there answers, for a scripted server that stands before it. */
export function forward(url: string): Answer {
  return async (incoming, response) => {
    const { method, headers } = incoming;
    const onward = request(new URL(incoming.url ?? '', url), { method, headers });
    await new Promise((resolve, reject) => {
      onward.on('error', reject).on('response', (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        pipeline(answer, response).then(resolve, reject);
      });
      pipeline(incoming, onward).catch(reject);
    });
  };
}

/** The same answer, later: what a slow server does. */
export function after(milliseconds: number, answer: Answer): Answer {
  return async (request, response) => {
    await delay(milliseconds);
    return answer(request, response);
  };
}

/** The same answer, once something has happened. */
export function once(happened: Promise<void>, answer: Answer): Answer {
  return async (request, response) => {
    await happened;
    return answer(request, response);
  };
}
