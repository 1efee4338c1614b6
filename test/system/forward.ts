import { request } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { RequestHandler } from '../client/scripted-server.js';

/** Forwards a request of a scripted server to a real one, and returns its response. */
export function forward(url: string): RequestHandler {
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

/** Delays a response, as a slow server does. */
export function after(milliseconds: number, answer: RequestHandler): RequestHandler {
  return async (request, response) => {
    await delay(milliseconds);
    return answer(request, response);
  };
}

/** Delays a response until a promise resolves. */
export function once(happened: Promise<void>, answer: RequestHandler): RequestHandler {
  return async (request, response) => {
    await happened;
    return answer(request, response);
  };
}
