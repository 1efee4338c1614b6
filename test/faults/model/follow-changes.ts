import { setTimeout } from 'node:timers/promises';
import type { Definition } from './operation.js';
import { type ModelResponse, response } from './responses.js';
import type { Change } from './tenant-model.js';

/** A consumer of the feed, which continues after the last change it has processed. */
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
      const page = await client.request('GET', `/api/v2/changes?after=${cursor}&limit=${limit}`);
      if (page.status !== 200) return page;
      const { data: entries, next } = page.body as { data: (Change & { cursor: string })[]; next: string };
      for (const { cursor: position, ...change } of entries) {
        data.push(change);
        cursor = position;
      }
      if (next !== cursor && cursor !== '') throw new Error(`next is ${next} after ${cursor}`);
      const isMissing = consumer.count + data.length < changes.length;
      if (entries.length === 0 && !(isMissing && performance.now() - begin < client.feedDelayMs)) break;
      if (entries.length === 0) await setTimeout(PAUSE_MS);
    }
    return response(200, { data, cursor });
  },
  expect: ({ changes, consumer }, _operation, _call, { body }): ModelResponse => {
    const data = changes.slice(consumer.count);
    const { cursor } = body as { cursor: string };
    Object.assign(consumer, { cursor, count: changes.length });
    return response(200, { data, cursor });
  },
};
