import { text } from 'node:stream/consumers';
import {
  AccountSyncError,
  ForbiddenError,
  NotFoundError,
  RefusedError,
  UnavailableError,
  type UndoConflict,
  type UndoProgress,
} from '@account-sync/client';
import { afterEach, describe, expect, it } from 'vitest';
import { cut, gate, overloaded, problem, type RequestHandler, ScriptedServer } from './scripted-server.js';

let server: ScriptedServer;
afterEach(() => server.stop());

const POST = 'POST /api/v2/runs/12/undo';
const GET = 'GET /api/v2/runs/13';
const progress = (examined: number, conflicts = 0): UndoProgress => ({
  run_id: '13',
  undoes: '12',
  changes: 4,
  examined,
  conflicts,
});
const CONFLICT: UndoConflict = {
  account_id: 'ä',
  field: 'licenses',
  reason: 'changed',
  before: 1,
  left: { x: [2] },
  now: null,
};
const SUMMARY = {
  run_id: '13',
  undoes: '12',
  changes: 4,
  updated: 2,
  archived: 1,
  restored: 0,
  conflicts: 1,
  dry_run: false,
  is_complete: true,
  code: null,
  problem: null,
};
const LINES = [
  { progress: progress(0) },
  { conflict: CONFLICT },
  { progress: progress(4, 1) },
  { summary: SUMMARY },
];
const asText = (lines: readonly object[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join('');

/** Sends the lines, and then ends or cuts the response. */
function respond(
  lines: readonly object[],
  end: 'end' | 'cut' = 'end',
  bodies: unknown[] = [],
): RequestHandler {
  return async (request, response) => {
    bodies.push(JSON.parse(await text(request)));
    response.writeHead(200, { 'content-type': 'application/x-ndjson' });
    if (end === 'end') response.end(asText(lines));
    else response.write(asText(lines), () => response.destroy());
  };
}

/** The run of the undo. */
function showRun(state: 'open' | 'finished'): RequestHandler {
  const undo = { run_id: '12', request_id: null, force: false, changes: 4, examined: 4, conflicts: 1 };
  const { updated, archived, restored } = SUMMARY;
  return (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ id: '13', kind: 'undo', state, updated, archived, restored, undo }));
  };
}

function listener() {
  const seen = { progress: [] as UndoProgress[], conflicts: [] as UndoConflict[] };
  return {
    seen,
    onProgress: (one: UndoProgress) => void seen.progress.push(one),
    onConflict: (one: UndoConflict) => void seen.conflicts.push(one),
  };
}

describe('undoRun', () => {
  it('returns the summary, and reports progress and conflicts', async () => {
    const bodies: unknown[] = [];
    server = await ScriptedServer.start([respond(LINES, 'end', bodies)]);
    const { seen, ...listeners } = listener();
    expect(await server.client().undoRun('12', listeners)).toEqual(SUMMARY);
    expect(seen).toEqual({ progress: [progress(0), progress(4, 1)], conflicts: [CONFLICT] });
    expect(await server.client().undoRun('12', { dryRun: true, force: true, requestId: 'r' })).toEqual(
      SUMMARY,
    );
    expect(bodies).toEqual([
      { dry_run: false, force: false },
      { dry_run: true, force: true, request_id: 'r' },
    ]);
    expect(server.seen).toEqual([POST, POST]);
  });

  it('encodes the id', async () => {
    server = await ScriptedServer.start([respond(LINES)]);
    await server.client().undoRun('a/b?c');
    expect(server.seen).toEqual(['POST /api/v2/runs/a%2Fb%3Fc/undo']);
  });

  it.each([
    [404, NotFoundError],
    [403, ForbiddenError],
    [409, RefusedError],
    [400, RefusedError],
  ])('throws a typed error for status %i, without a retry', async (status, type) => {
    server = await ScriptedServer.start([problem(status, 'no', 'It is not possible.')]);
    const failure = await server
      .client()
      .undoRun('12')
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(type);
    expect(failure).toMatchObject({ status, message: expect.stringContaining('It is not possible.') });
    expect(server.seen).toEqual([POST]);
  });

  it.each<[string, RequestHandler]>([
    ['the connection is cut before the response', cut],
    ['the server is overloaded', overloaded],
    ['the response is cut in the middle', respond(LINES.slice(0, 2), 'cut')],
    ['the response ends without a summary', respond(LINES.slice(0, 2))],
    [
      'the server stops',
      respond([
        LINES[0] as object,
        { summary: { ...SUMMARY, is_complete: false, code: 'undo_interrupted', problem: 'It stops.' } },
      ]),
    ],
  ])('sends the request again if %s', async (what, handler) => {
    // Once the run of the undo is known, it is read first.
    const isKnown = !/before the response|overloaded/.test(what);
    server = await ScriptedServer.start([handler, ...(isKnown ? [showRun('open')] : []), respond(LINES)]);
    const { seen, ...listeners } = listener();
    expect(await server.client().undoRun('12', listeners)).toEqual(SUMMARY);
    expect(server.seen).toEqual([POST, ...(isKnown ? [GET] : []), POST]);
    expect(seen.progress.at(-1)).toEqual(progress(4, 1));
  });

  it('begins no other undo if only the summary was lost', async () => {
    server = await ScriptedServer.start([respond(LINES.slice(0, 3), 'cut'), showRun('finished')]);
    expect(await server.client().undoRun('12')).toEqual(SUMMARY);
    expect(server.seen).toEqual([POST, GET]);
  });

  it('sends the request again with a key that cannot read the run', async () => {
    const forbidden = problem(403, 'scope_missing', 'This key lacks the scope read.');
    server = await ScriptedServer.start([respond(LINES.slice(0, 3), 'cut'), forbidden, respond(LINES)]);
    expect(await server.client().undoRun('12')).toEqual(SUMMARY);
    expect(server.seen).toEqual([POST, GET, POST]);
  });

  it('gives up if the response never has a summary', async () => {
    const isCut = respond(LINES.slice(0, 1), 'cut');
    server = await ScriptedServer.start([isCut, showRun('open'), isCut]);
    const client = server.client({ retries: 1 });
    await expect(client.undoRun('12')).rejects.toBeInstanceOf(UnavailableError);
    expect(server.seen).toEqual([POST, GET, POST]);
  });

  it('throws if the undo cannot be completed', async () => {
    const early = { is_complete: false, code: 'history_removed', problem: 'Older changes were removed.' };
    server = await ScriptedServer.start([respond([{ summary: { ...SUMMARY, ...early } }])]);
    const failure = await server
      .client()
      .undoRun('12')
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(AccountSyncError);
    expect(failure).not.toBeInstanceOf(UnavailableError);
    expect(failure).toMatchObject({ code: 'history_removed', message: expect.stringContaining('removed.') });
    expect(server.seen).toEqual([POST]);
  });

  it('fails if the server is silent', async () => {
    server = await ScriptedServer.start([
      (request, response) => {
        request.resume();
        response.writeHead(200, { 'content-type': 'application/x-ndjson' });
        response.write(asText(LINES.slice(0, 1)));
      },
    ]);
    const client = server.client({ timeoutMs: 200, retries: 0 });
    await expect(client.undoRun('12')).rejects.toThrow('did not respond for 200 ms.');
  });

  it('ends with the reason of its signal, and closes the connection', async () => {
    const closed = gate();
    server = await ScriptedServer.start([
      (request, response) => {
        request.resume();
        response.on('close', closed.open);
        response.writeHead(200, { 'content-type': 'application/x-ndjson' });
        response.write(asText(LINES.slice(0, 1)));
      },
    ]);
    const stop = new AbortController();
    const reason = new Error('enough');
    const undone = server.client().undoRun('12', {
      signal: stop.signal,
      onProgress: () => stop.abort(reason),
    });
    await expect(undone).rejects.toBe(reason);
    await closed.opened;
    expect(server.seen).toEqual([POST]);
  });
});
