import { describe, expect, it } from 'vitest';
import { finishAsking, liveIds, mirror, numbered, openAsking, push } from '../http/missing-requests.js';
import { kinds } from '../http/run-requests.js';
import { undo } from '../http/undo-requests.js';
import { useServer } from '../http/v2-server.js';
import { databases } from '../support/databases.js';
import { problemsIn } from '../support/verified.js';

describe.each(databases)('many missing accounts of a run on %s', (_name, createDatabase) => {
  const server = useServer(createDatabase);

  it('are all archived once and restored by an undo', async () => {
    const acme = await server.tenant();
    const ids = numbered(2_600);
    await mirror(acme, ids);
    const { body } = await mirror(acme, ids.slice(0, 100));
    expect(body).toMatchObject({ archived: 2_500, missing: { accounts: 2_500, of: 2_600 } });
    expect(await liveIds(acme)).toEqual(ids.slice(0, 100));
    const { summary } = await undo(acme, body.id);
    expect(summary).toMatchObject({ restored: 2_500, conflicts: 0, is_complete: true });
    expect(await liveIds(acme)).toEqual(ids);
    expect(await kinds(acme, 'a-2599')).toEqual(['created', 'archived', 'restored']);
    expect(await problemsIn(server.databaseUrl)).toEqual([]);
  });

  it('are live in the end if they are sent while the run is finished', async () => {
    const acme = await server.tenant();
    const ids = numbered(1_500);
    await mirror(acme, ids);
    const run = await openAsking(acme);
    const parts = Array.from({ length: 30 }, (_, i) => ids.slice(i * 50, (i + 1) * 50));
    // The parts are sent in reverse, so that archiving and sending meet.
    const sending = parts.reverse().map((part) => push(acme, part));
    const [finished] = await Promise.all([finishAsking(acme, run, { max_missing_percent: 100 }), ...sending]);
    expect(finished.status).toBe(200);
    const live = new Set(await liveIds(acme));
    expect(ids.filter((id) => !live.has(id))).toEqual([]);
    let archived = 0;
    for (const id of ids) if ((await kinds(acme, id)).includes('archived')) archived += 1;
    expect((await acme.get(`/runs/${run}`)).body.archived).toBe(archived);
    // None is archived by the next run, which gets all of them.
    expect((await mirror(acme, ids)).body.missing).toEqual({ action: 'archive', accounts: 0, of: 1_500 });
  });
});
