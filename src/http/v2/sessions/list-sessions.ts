import Type from 'typebox';
import { isoTime, nullable, Timestamp } from '../../../wire/schemas.js';
import { principalOf } from '../../auth/authenticate.js';
import { operation, type V2App, type V2Parts } from '../operation.js';

const ListedSessionSchema = Type.Object(
  {
    id: Type.String({ description: 'Names the session; not secret.' }),
    tenant: Type.String(),
    browser: nullable(Type.String({ description: 'The `User-Agent` of the sign-in.' })),
    is_current: Type.Boolean({ description: 'Whether this request belongs to it.' }),
    created_at: Timestamp,
    last_used_at: nullable(Timestamp),
    expires_at: Timestamp,
  },
  {
    title: 'ListedSession',
    examples: [
      {
        id: '3f9a2b7c',
        tenant: 'default',
        browser: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
        is_current: true,
        created_at: '2027-01-31T12:00:00.000Z',
        last_used_at: '2027-01-31T12:40:00.000Z',
        expires_at: '2027-02-01T00:00:00.000Z',
      },
    ],
  },
);

export function listSessions(app: V2App, parts: V2Parts): void {
  const { store, clock } = parts;
  const options = operation(parts, 'any', {
    id: 'list-sessions',
    tag: 'Sessions',
    summary: 'List the own sessions, newest first',
    description:
      'Those of the user in all tenants, or of the key. `last_used_at` is about a minute old, and null at first.',
    schema: {},
    responses: {
      200: { description: 'All sessions.', schema: Type.Object({ data: Type.Array(ListedSessionSchema) }) },
    },
  });
  app.get('/sessions', options, async (request) => {
    const { senderId, session } = principalOf(request);
    const sessions = await store.directory.sessions.list(senderId, clock());
    return {
      data: sessions.map((one) => ({
        id: one.id,
        tenant: one.tenant,
        browser: one.userAgent,
        is_current: one.hash === session?.hash,
        created_at: isoTime(one.createdAt),
        last_used_at: one.lastUsedAt === null ? null : isoTime(one.lastUsedAt),
        expires_at: isoTime(one.expiresAt),
      })),
    };
  });
}
