import { describe, expect, it } from 'vitest';
import type { UpsertRequest } from '../requests.js';
import { GroupCommit } from './group-commit.js';

/** A group commit whose transactions end when the test calls `endFirst`; `groups` records what was committed. */
function controlled(width: number, laneWidth = 1) {
  const groups: string[] = [];
  const ends: (() => void)[] = [];
  const commit = (group: readonly { readonly upsert: UpsertRequest }[]) =>
    new Promise<void>((resolve) => {
      groups.push(group.map(({ upsert }) => upsert.requestId).join(' '));
      ends.push(resolve);
    });
  const queue = new GroupCommit(commit, { width, laneWidth });
  const submit = (tenantId: number, requestId: string, records = 1, account = requestId) => {
    const patches = Array.from({ length: records }, (_, i) => ({ accountId: `${account}-${i}`, fields: {} }));
    queue.submit({ upsert: { tenantId, requestId, senderId: 'k', at: 1, patches, bytes: 1 } });
  };
  return { groups, submit, queue, endFirst: () => ends.shift()?.() };
}

const nextTurn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

describe('GroupCommit', () => {
  it('commits groups of different lanes concurrently, one group per lane', async () => {
    const { groups, submit, endFirst } = controlled(2);
    submit(1, 'a1');
    submit(2, 'b1');
    submit(1, 'a2');
    await nextTurn();
    submit(1, 'a3');
    submit(1, 'a4');
    await nextTurn();
    expect(groups).toEqual(['a1 a2', 'b1']);
    endFirst();
    await nextTurn();
    expect(groups).toEqual(['a1 a2', 'b1', 'a3 a4']);
  });

  it('commits at most `width` groups at a time, lanes in round-robin order', async () => {
    const { groups, submit, endFirst } = controlled(1);
    submit(1, 'a1', 1_500);
    submit(1, 'a2', 1_500);
    submit(2, 'b1');
    submit(3, 'c1');
    for (let i = 0; i < 4; i += 1) {
      await nextTurn();
      endFirst();
    }
    expect(groups).toEqual(['a1', 'b1', 'c1', 'a2']);
  });

  it('commits a second group of a lane concurrently if it has enough records', async () => {
    const { groups, submit } = controlled(4, 2);
    submit(1, 'a1');
    await nextTurn();
    submit(1, 'a2', 31);
    await nextTurn();
    expect(groups).toEqual(['a1']);
    submit(1, 'a3');
    await nextTurn();
    submit(1, 'a4', 500);
    await nextTurn();
    expect(groups).toEqual(['a1', 'a2 a3']);
  });

  it('keeps requests for the same account in order, and with them all later requests of the lane', async () => {
    const { groups, submit, endFirst } = controlled(4, 2);
    submit(1, 'a1', 1, 'same');
    await nextTurn();
    submit(1, 'a2', 300);
    submit(1, 'a3', 300, 'same');
    submit(1, 'a4', 300);
    await nextTurn();
    expect(groups).toEqual(['a1', 'a2']);
    endFirst();
    await nextTurn();
    expect(groups).toEqual(['a1', 'a2', 'a3 a4']);
  });

  it('is idle when every lane is idle', async () => {
    const { groups, submit, queue, endFirst } = controlled(1);
    submit(1, 'a1');
    submit(2, 'b1');
    let isIdle = false;
    const idle = queue.idle().then(() => {
      isIdle = true;
    });
    await nextTurn();
    endFirst();
    await nextTurn();
    expect(isIdle).toBe(false);
    endFirst();
    await idle;
    expect(groups).toEqual(['a1', 'b1']);
  });
});
