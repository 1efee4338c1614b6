// In a thread of its own, so that its times are not those of the attackers; in JavaScript, as threads run what they are given.
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

const ACCOUNTS = 50;
const PAUSE_MS = 3;
const FRESH_EVERY = 10;

const { url, key } = workerData;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
let times = [];
let problems = [];

function send(method, path, isFresh, body) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const options = { method, headers, agent: isFresh ? false : agent };
    const outgoing = request(new URL(path, url), options, async (incoming) => {
      let text = '';
      for await (const chunk of incoming.setEncoding('utf8')) text += chunk;
      resolve({ status: incoming.statusCode, text });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

async function timed(work, isRight, what) {
  const startedAt = performance.now();
  try {
    const answer = await work();
    if (!isRight(answer)) problems.push(`${what}: ${answer.status} ${answer.text}`);
  } catch (error) {
    problems.push(`${what}: ${error}`);
  }
  times.push(performance.now() - startedAt);
}

let isStopped = false;
let isAsked = false;
parentPort.on('message', (message) => {
  if (message === 'stop') isStopped = true;
  else isAsked = true;
});

for (let n = 1; !isStopped; n += 1) {
  const account_id = `steady-${n % ACCOUNTS}`;
  const isFresh = n % FRESH_EVERY === 0;
  const record = JSON.stringify({ account_id, licenses: n });
  await timed(
    () => send('POST', '/api/v1_1/account', isFresh, record),
    ({ status, text }) => status === 200 && text === '{"success":true}',
    `write ${n}`,
  );
  await timed(
    () => send('GET', `/api/v2/accounts/${account_id}`, isFresh),
    ({ status, text }) => status === 200 && JSON.parse(text).fields.licenses === n,
    `read ${n}`,
  );
  // Not in the middle of a request: one that takes as long as the whole attack belongs to it.
  if (isAsked) {
    parentPort.postMessage({ times, problems });
    times = [];
    problems = [];
    isAsked = false;
  }
  await pause(PAUSE_MS);
}
agent.destroy();
parentPort.close();
