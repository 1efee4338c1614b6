import { expect, it, onTestFinished } from 'vitest';
import { head, RawConnection } from '../support/raw-connection.js';
import { freshDirectory, PROGRAM, Service } from '../support/service.js';
import { Trial } from './trial.js';

/** Enough descriptors for the program to start. */
const DESCRIPTORS = 600;
const CONNECTIONS = 900;

it('closes connections above its descriptor limit, serves the others, and recovers', async () => {
  const trial = new Trial('Hostile: more connections than descriptors', { short: 1, long: 20 });
  const settings = { ACCOUNT_SYNC_LOG_LEVEL: 'error', ACCOUNT_SYNC_DATA_DIR: await freshDirectory() };
  const limited = [
    'sh',
    '-c',
    `ulimit -n ${DESCRIPTORS} && exec "$0" "$@"`,
    process.execPath,
    PROGRAM,
    'serve',
  ];
  const service = await Service.start(settings, limited);
  onTestFinished(() => service.stopAndRemove());
  const body = '{"account_id":"acme"}';
  const others = ['Host: a', `Authorization: Bearer ${service.key}`, 'Content-Type: application/json'];
  const write = head('POST /api/v1_1/account', ...others, `Content-Length: ${body.length}`) + body;
  const becomesReady = () =>
    expect
      .poll(() =>
        fetch(`${service.url}/readyz`).then(
          ({ status }) => status,
          () => 0,
        ),
      )
      .toBe(200);
  // The threads read their modules after the service has printed its address, for which they need descriptors.
  await becomesReady();
  await trial.run(async () => {
    const first = await RawConnection.open(service.url);
    const many = await Promise.all(
      Array.from({ length: CONNECTIONS }, () => RawConnection.open(service.url)),
    );
    const open = () => many.filter(({ socket }) => !socket.destroyed).length;
    await expect.poll(open).toBeLessThan(DESCRIPTORS);
    first.send(write);
    expect(await first.waitForResponses(1)).toEqual([200]);
    for (const connection of [first, ...many]) connection.close();
    await becomesReady();
  });
  const status = await service.stop();
  expect([status, service.output.stderr]).toEqual([0, '']);
});
