import Type, { type Static } from 'typebox';
import type { ChangeFeed } from '../../../store/changes/change-feed.js';
import { BEGINNING, type Position } from '../../../store/schema/position.js';
import { CHANGE, ChangeSchema, feedBody, readPosition, writePosition } from '../../../wire/change-body.js';
import { principalOf } from '../../auth/authenticate.js';
import { invalidRequest } from '../../errors.js';
import { operation, type V2App, type V2Parts } from '../operation.js';
import { DEFAULT_LIMIT, Limit } from '../schemas.js';
import type { ChangeStreams } from './change-streams.js';
import { hasSentBy, readSentBy, rejectSentBy, SentByQuery } from './sent-by-query.js';

const FEED_CHANGE = { cursor: '0~512', account_id: 'acme', ...CHANGE };

const FeedChange = Type.Object(
  {
    cursor: Type.String({ description: 'Send as `after` to continue after this change.' }),
    account_id: Type.String(),
    ...ChangeSchema.properties,
  },
  { title: 'FeedChange', examples: [FEED_CHANGE] },
);

export const ChangePageSchema = Type.Object({
  data: Type.Array(FeedChange),
  next: Type.String({ examples: ['0~512'] }),
  has_more: Type.Boolean({
    description: 'Whether there may be more changes now. With a filter, also after an empty page.',
    examples: [false],
  }),
});

const EVENT = `: changes follow

event: change
id: 0~512
data: ${JSON.stringify(FEED_CHANGE)}

`;
const Events = Type.String({
  description: 'Each event has a change as its `data` and the cursor as its `id`.',
});

const Query = Type.Object(
  {
    after: Type.Optional(
      Type.String({
        description: 'A cursor, or `latest` for changes from now on. Default: all changes.',
        examples: ['0~512'],
      }),
    ),
    limit: Limit,
    ...SentByQuery.properties,
    last: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1000,
        description: 'Start with this many of the latest changes. Not together with `after` or `limit`.',
        examples: [20],
      }),
    ),
  },
  { additionalProperties: false },
);

const Headers = Type.Object({
  'Last-Event-ID': Type.Optional(
    Type.String({
      description: 'The last `id` that was received, to continue an interrupted stream.',
      examples: ['0~512'],
    }),
  ),
});

export function getChanges(app: V2App, parts: V2Parts, streams: ChangeStreams): void {
  const { store } = parts;
  const options = operation(parts, 'read', {
    id: 'get-changes',
    tag: 'Changes',
    summary: 'Follow all changes in order',
    description:
      'Returns every change exactly once, also while accounts are written. Send `next` as `after` for the next page: ' +
      'immediately if `has_more` is true, otherwise later. With `Accept: text/event-stream` the response stays ' +
      'open and delivers changes within a second; it starts after `Last-Event-ID`, or else as the query parameters ' +
      'define. With `run_id`, `source`, `key_id`, `user_id` or `request_id`, a request examines a bounded part of the ' +
      'feed: a page may be short or empty although `has_more` is true. If the tenant limits its history, older changes are ' +
      'missing, except the last one of each account.',
    schema: { querystring: Query },
    headers: Headers,
    responses: {
      200: {
        description: 'A page of changes, or a stream of events.',
        content: {
          'application/json': { schema: ChangePageSchema },
          'text/event-stream': { schema: Events, examples: { ok: { value: EVENT } } },
        },
      },
    },
  });
  // Without a HEAD route: HEAD with the Accept header of a stream would stay open and send nothing.
  app.get('/changes', { ...options, exposeHeadRoute: false }, async (request, reply) => {
    const { tenant } = principalOf(request);
    const { query } = request;
    rejectCombined(query);
    const wantsStream = (request.headers.accept ?? '').includes('text/event-stream');
    if (wantsStream || query.last !== undefined) rejectSentBy(query);
    const lastEvent = request.headers['last-event-id'];
    const [text, pointer] =
      wantsStream && typeof lastEvent === 'string'
        ? [lastEvent, '/headers/last-event-id']
        : [query.after, '/query/after'];
    const after =
      (await relativePosition(store.feed, tenant.id, text, query.last)) ?? positionOf(text, pointer);
    if (wantsStream) return streams.open(request, reply, after);
    const limit = query.last ?? query.limit ?? DEFAULT_LIMIT;
    if (text === 'latest') return { data: [], next: writePosition(after), has_more: false };
    const { entries, position, hasMore } = hasSentBy(query)
      ? await store.feed.search(tenant.id, after, limit, readSentBy(query))
      : await store.feed.page(tenant.id, after, limit);
    return { data: entries.map(feedBody), next: writePosition(position), has_more: hasMore };
  });
}

/** The position for `latest` or `last`, which are relative to the end of the feed; undefined otherwise. */
async function relativePosition(
  feed: ChangeFeed,
  tenantId: number,
  text: string | undefined,
  last: number | undefined,
) {
  if (text === 'latest') return feed.end(tenantId);
  return text === undefined && last !== undefined ? feed.beforeLast(tenantId, last) : undefined;
}

function rejectCombined({ last, after, limit }: Static<typeof Query>): void {
  const others = Object.entries({ after, limit }).filter(([, value]) => value !== undefined);
  if (last === undefined || others.length === 0) return;
  const detail = 'cannot be combined with last';
  throw invalidRequest(others.map(([name]) => ({ pointer: `/query/${name}`, detail })));
}

function positionOf(text: string | undefined, pointer: string): Position {
  if (text === undefined || text === '') return BEGINNING;
  const position = readPosition(text);
  if (position !== undefined) return position;
  const detail = /^\d+-\d+$/.test(text)
    ? 'is a cursor of a version before 0.8.0: read all accounts once, and continue from latest'
    : 'must be a cursor of this feed, or latest';
  throw invalidRequest([{ pointer, detail }]);
}
