// The thread of `latency-probe.ts`. It is JavaScript because worker threads run the file without compiling it.
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

const ACCOUNTS = 50;
const PAUSE_MS = 3;
const NEW_CONNECTION_EVERY = 10;

const { url, key } = workerData;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
let times = [];
let problems = [];

function send(method, path, isNewConnection, body) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const options = { method, headers, agent: isNewConnection ? false : agent };
    const outgoing = request(new URL(path, url), options, async (incoming) => {
      let text = '';
      for await (const chunk of incoming.setEncoding('utf8')) text += chunk;
      resolve({ status: incoming.statusCode, text });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

async function measure(work, isExpected, name) {
  const startedAt = performance.now();
  try {
    const response = await work();
    if (!isExpected(response)) problems.push(`${name}: ${response.status} ${response.text}`);
  } catch (error) {
    problems.push(`${name}: ${error}`);
  }
  times.push(performance.now() - startedAt);
}

let isStopped = false;
let isCollecting = false;
parentPort.on('message', (message) => {
  if (message === 'stop') isStopped = true;
  else isCollecting = true;
});

for (let n = 1; !isStopped; n += 1) {
  const account_id = `probe-${n % ACCOUNTS}`;
  const isNewConnection = n % NEW_CONNECTION_EVERY === 0;
  const record = JSON.stringify({ account_id, licenses: n });
  await measure(
    () => send('POST', '/api/v1_1/account', isNewConnection, record),
    ({ status, text }) => status === 200 && text === '{"success":true}',
    `write ${n}`,
  );
  await measure(
    () => send('GET', `/api/v2/accounts/${account_id}`, isNewConnection),
    ({ status, text }) => status === 200 && JSON.parse(text).fields.licenses === n,
    `read ${n}`,
  );
  // Only between requests: a request that takes as long as the whole attack belongs to the attack.
  if (isCollecting) {
    parentPort.postMessage({ times, problems });
    times = [];
    problems = [];
    isCollecting = false;
  }
  await pause(PAUSE_MS);
}
agent.destroy();
parentPort.close();
