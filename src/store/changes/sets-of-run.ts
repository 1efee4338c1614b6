import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { sizeOf } from '../bounded-read.js';
import { comparePositions, type Position } from '../schema/position.js';
import type { Tables } from '../schema/tables.js';
import { rangeOfRun } from './range-of-run.js';
import { CHANGES, isAmongSets, POSITION_COLUMNS, type SetRange, setsAfter } from './sets-after.js';

/** The changes of a run, or of one request of it. */
export interface WantedChanges {
  readonly tenantId: number;
  readonly runId: number;
  readonly requestId?: string | undefined;
}

export interface SetOfRun extends Position {
  readonly entries: Uint8Array;
}

/** Some sets of a run. All from this position on have been read. */
export interface PieceOfRun {
  readonly sets: readonly SetOfRun[];
  readonly position: Position;
}

interface Header extends Position {
  readonly changes: number;
  readonly size: number;
}

interface SentHeader extends Header {
  readonly runId: number | null;
  readonly requestId: string;
}

/** Sets whose headers one query reads: it takes some milliseconds. */
const SETS_PER_QUERY = 2_000;
/** Changes and bytes that are read at once. A larger set is read alone. */
const PIECE_CHANGES = 512;
const PIECE_BYTES = 512 * 1024;

/**
 * The change sets of a run. There is no index for them: a run knows the positions of its first and last set, and the
 * sets between these are examined.
 */
export class SetsOfRun {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  /** How many changes are stored. */
  async count(wanted: WantedChanges): Promise<number> {
    let count = 0;
    for await (const { headers } of this.#headers(wanted)) {
      for (const { changes } of headers) count += changes;
    }
    return count;
  }

  /**
   * The sets, newest first, in pieces of bounded size; only those before a position, if it is given. A piece is empty
   * where many sets belong to others.
   */
  async *newestFirst(wanted: WantedChanges, before?: Position): AsyncGenerator<PieceOfRun> {
    for await (const { headers, position } of this.#headers(wanted, before)) {
      for (const piece of inPieces(headers)) {
        const last = piece.at(-1) as Header;
        const sets = await this.#read(wanted.tenantId, piece);
        yield { sets, position: { commitOrder: last.commitOrder, seq: last.seq } };
      }
      if (headers.length === 0) yield { sets: [], position };
    }
  }

  async *#headers(
    { tenantId, runId, requestId }: WantedChanges,
    before?: Position,
  ): AsyncGenerator<{ headers: readonly Header[]; position: Position }> {
    const range = await rangeOfRun(this.#db, tenantId, runId);
    if (range === undefined) return;
    const end = { commitOrder: range.last.commitOrder, seq: range.last.seq + 1 };
    const columns = sql`
      ${POSITION_COLUMNS}, ${CHANGES} as changes, ${sizeOf('entries')} as size, run_id as "runId",
      request_id as "requestId"`;
    for (let from: Position | undefined = before ?? end; from !== undefined; ) {
      const sets: SetRange = { from, direction: 'desc', limit: SETS_PER_QUERY, where: sql`1 = 1` };
      const query: RawBuilder<SentHeader> = setsAfter(tenantId, columns, sets);
      const { rows } = await query.execute(this.#db);
      const within = rows.filter((row) => comparePositions(row, range.first) >= 0);
      const headers = within.filter(
        (row) => row.runId === runId && (requestId === undefined || row.requestId === requestId),
      );
      const last = within.at(-1);
      if (last !== undefined) yield { headers, position: { commitOrder: last.commitOrder, seq: last.seq } };
      from = within.length === SETS_PER_QUERY ? within.at(-1) : undefined;
      // SQLite reads synchronously, and other requests would wait.
      await nextTurn();
    }
  }

  async #read(tenantId: number, headers: readonly Header[]): Promise<SetOfRun[]> {
    const seqs = headers.map(({ seq }) => seq);
    return this.#db
      .selectFrom('change_set')
      .select(['turn as commitOrder', 'seq', 'entries'])
      .where(isAmongSets(tenantId, seqs))
      .orderBy('turn', 'desc')
      .orderBy('seq', 'desc')
      .execute();
  }
}

function* inPieces(headers: readonly Header[]): Generator<Header[]> {
  let piece: Header[] = [];
  let [changes, bytes] = [0, 0];
  for (const header of headers) {
    if (piece.length > 0 && (changes + header.changes > PIECE_CHANGES || bytes + header.size > PIECE_BYTES)) {
      yield piece;
      piece = [];
      [changes, bytes] = [0, 0];
    }
    piece.push(header);
    changes += header.changes;
    bytes += header.size;
  }
  if (piece.length > 0) yield piece;
}
