import Type, { type Static } from 'typebox';
import type { ChangeFeed } from '../../../store/changes/change-feed.js';
import { BEGINNING, type Position } from '../../../store/changes/changes-after.js';
import { principalOf } from '../../auth/authenticate.js';
import { invalidRequest } from '../../errors.js';
import { operation, type V2App, type V2Parts } from '../operation.js';
import { CHANGE, ChangeSchema, DEFAULT_LIMIT, Limit } from '../schemas.js';
import type { ChangeStreams } from './change-streams.js';
import { feedBody, writePosition } from './change-streams.js';

const FEED_CHANGE = { cursor: '0-12', account_id: 'acme', ...CHANGE };

const FeedChange = Type.Object(
  {
    cursor: Type.String({ description: 'to go on behind this change' }),
    account_id: Type.String(),
    ...ChangeSchema.properties,
  },
  { title: 'FeedChange', examples: [FEED_CHANGE] },
);

export const ChangePageSchema = Type.Object({
  data: Type.Array(FeedChange),
  next: Type.String({ examples: ['0-12'] }),
});

const EVENT = `: changes follow

event: change
id: 0-12
data: ${JSON.stringify(FEED_CHANGE)}

`;
const Events = Type.String({ description: 'each has a change as its `data`, and its cursor as its `id`' });

const Query = Type.Object(
  {
    after: Type.Optional(
      Type.String({
        description: 'a cursor; `latest` for what comes from now on; none for all there is',
        examples: ['0-12'],
      }),
    ),
    limit: Limit,
    last: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1000,
        description: 'begin with so many of the latest, without `after` and `limit`',
        examples: [20],
      }),
    ),
  },
  { additionalProperties: false },
);

const Headers = Type.Object({
  'Last-Event-ID': Type.Optional(
    Type.String({ description: 'of a stream that broke off: the last `id` it told', examples: ['0-12'] }),
  ),
});

export function getChanges(app: V2App, parts: V2Parts, streams: ChangeStreams): void {
  const { store } = parts;
  const options = operation(parts, 'read', {
    id: 'get-changes',
    tag: 'Changes',
    summary: 'Follow all changes, in order, from any place',
    description:
      'Nothing is skipped and nothing comes twice, however many write. `next` is where to go on: at once where the ' +
      'page held anything, later otherwise. With `Accept: text/event-stream` the answer stays open and tells of changes ' +
      'within a second; it goes on behind `Last-Event-ID`, where that is sent, or begins as the query says. Where the ' +
      'tenant keeps its history for some days only, what is older is left out, but for the last change of each account.',
    schema: { querystring: Query },
    headers: Headers,
    answers: {
      200: {
        description: 'A page of changes, or all that follow',
        content: {
          'application/json': { schema: ChangePageSchema },
          'text/event-stream': { schema: Events, examples: { ok: { value: EVENT } } },
        },
      },
    },
  });
  // A HEAD that asked for a stream would stay open for nothing.
  app.get('/changes', { ...options, exposeHeadRoute: false }, async (request, reply) => {
    const { tenant } = principalOf(request);
    const { query } = request;
    refuseBoth(query);
    const wantsStream = (request.headers.accept ?? '').includes('text/event-stream');
    const lastEvent = request.headers['last-event-id'];
    const [text, pointer] =
      wantsStream && typeof lastEvent === 'string'
        ? [lastEvent, '/headers/last-event-id']
        : [query.after, '/query/after'];
    const after = (await placeOf(store.feed, tenant.id, text, query.last)) ?? readPosition(text, pointer);
    if (wantsStream) return streams.open(request, reply, after);
    const limit = query.last ?? query.limit ?? DEFAULT_LIMIT;
    const entries = text === 'latest' ? [] : await store.feed.page(tenant.id, after, limit);
    return { data: entries.map(feedBody), next: writePosition(entries.at(-1)?.position ?? after) };
  });
}

/** Where it is told by its distance from the end. */
async function placeOf(
  feed: ChangeFeed,
  tenantId: number,
  text: string | undefined,
  last: number | undefined,
) {
  if (text === 'latest') return feed.end(tenantId);
  return text === undefined && last !== undefined ? feed.beforeLast(tenantId, last) : undefined;
}

function refuseBoth({ last, after, limit }: Static<typeof Query>): void {
  const others = Object.entries({ after, limit }).filter(([, value]) => value !== undefined);
  if (last === undefined || others.length === 0) return;
  const detail = 'cannot be combined with last';
  throw invalidRequest(others.map(([name]) => ({ pointer: `/query/${name}`, detail })));
}

function readPosition(text: string | undefined, pointer: string): Position {
  if (text === undefined || text === '') return BEGINNING;
  const match = /^(\d{1,15})-(\d{1,15})$/.exec(text);
  if (match !== null) return { turn: Number(match[1]), seq: Number(match[2]) };
  throw invalidRequest([{ pointer, detail: 'must be a cursor of this feed, or latest' }]);
}
