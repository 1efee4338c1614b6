import { setTimeout } from 'node:timers/promises';
import { type Answer, answer } from './answers.js';
import type { Definition } from './operation.js';
import type { Change } from './tenant-model.js';

/** Somebody who deals with every change goes on behind the last one. */
export interface FollowChanges {
  readonly kind: 'follow-changes';
  readonly limit: number;
}

const PAUSE_MS = 5;

export const followChanges: Definition<FollowChanges> = {
  scope: 'read',
  send: async (client, { limit }, { changes, consumer }) => {
    const data: Change[] = [];
    let { cursor } = consumer;
    for (const begin = performance.now(); ; ) {
      const page = await client.ask('GET', `/api/v2/changes?after=${cursor}&limit=${limit}`);
      if (page.status !== 200) return page;
      const { data: entries, next } = page.body as { data: (Change & { cursor: string })[]; next: string };
      for (const { cursor: place, ...change } of entries) {
        data.push(change);
        cursor = place;
      }
      if (next !== cursor && cursor !== '') throw new Error(`next is ${next} behind ${cursor}`);
      const isMissing = consumer.count + data.length < changes.length;
      if (entries.length === 0 && !(isMissing && performance.now() - begin < client.patienceMs)) break;
      if (entries.length === 0) await setTimeout(PAUSE_MS);
    }
    return answer(200, { data, cursor });
  },
  expect: ({ changes, consumer }, _operation, _call, { body }): Answer => {
    const data = changes.slice(consumer.count);
    const { cursor } = body as { cursor: string };
    Object.assign(consumer, { cursor, count: changes.length });
    return answer(200, { data, cursor });
  },
};
