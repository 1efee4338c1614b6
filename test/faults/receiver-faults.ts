import type { ReceiverFault } from './collecting-receiver.js';

const STATUSES = [301, 400, 404, 429, 500, 502, 503, 504];

export const fail: ReceiverFault = (response, _take, random) => {
  response.writeHead(random.pick(STATUSES)).end('out of order');
};

export const neverAnswer: ReceiverFault = () => {};

/** Answers after a time that is sometimes longer than the service waits. */
export const answerSlowly =
  (longestMs: number): ReceiverFault =>
  (response, take, random) => {
    setTimeout(
      () => {
        if (response.destroyed) return;
        take();
        response.end();
      },
      random.between(1, longestMs),
    );
  };

/** Closes the connection before, within or after the head of the answer. */
export const cutAnswer: ReceiverFault = (response, take, random) => {
  const { socket } = response;
  if (socket === null) return;
  const close = () => socket.destroy();
  const head = random.pick([
    '',
    'HTTP/1.1 20',
    'HTTP/1.1 500 Error\r\ncontent-length: 100\r\n\r\n',
    undefined,
  ]);
  if (head !== undefined) return void socket.write(head, close);
  // The status has arrived, or not: the message may be repeated.
  take();
  response.writeHead(200, { 'content-length': 100 });
  response.write('ok', close);
};
