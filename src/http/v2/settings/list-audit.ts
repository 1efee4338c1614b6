import Type from 'typebox';
import { isoTime, Json, nullable, Timestamp } from '../../../wire/schemas.js';
import { BY_USER, SENDER_PROPERTIES, senderBody } from '../../../wire/sender-body.js';
import { principalOf } from '../../auth/authenticate.js';
import { isNumber, readCursor, writeCursor } from '../cursor.js';
import { operation, type V2App, type V2Parts } from '../operation.js';
import { DEFAULT_LIMIT, PageQuery, pageOf } from '../schemas.js';

const Entry = Type.Object(
  {
    id: Type.String(),
    at: Timestamp,
    via: Type.Enum(['api', 'command line', 'service']),
    ...SENDER_PROPERTIES,
    source: nullable(Type.String({ description: 'The source of the key; `console` for a user.' })),
    request_id: nullable(Type.String()),
    action: Type.String(),
    subject: Type.String(),
    from: Json,
    to: Json,
  },
  {
    title: 'AuditEntry',
    examples: [
      {
        id: '3',
        at: '2027-02-01T09:30:00.250Z',
        via: 'api',
        ...BY_USER,
        source: 'console',
        request_id: 'job-7:1',
        action: 'blocked-id.add',
        subject: '*.test',
        from: null,
        to: '*.test',
      },
    ],
  },
);

export function listAudit(app: V2App, parts: V2Parts): void {
  const options = operation(parts, 'admin', {
    id: 'list-audit',
    tag: 'Settings',
    summary: 'List changes of settings, attributes, keys and blocked ids, newest first',
    description:
      'Shows for each change the key or user and the request that made it, and the values before and after.',
    schema: { querystring: PageQuery },
    responses: { 200: { description: 'A page of changes.', schema: pageOf(Entry) } },
  });
  app.get('/audit', options, async (request) => {
    const { tenant } = principalOf(request);
    const { limit = DEFAULT_LIMIT, cursor } = request.query;
    const before = cursor === undefined ? undefined : readCursor('audit', cursor, isNumber);
    const found = await parts.store.directory.audit(tenant.id, before, limit);
    return {
      data: found.map(({ id, at, senderId, user, requestId, source, ...change }) => ({
        id: String(id),
        at: isoTime(at),
        via: viaOf(senderId, change.action),
        ...senderBody({ senderId, user }),
        source,
        request_id: requestId,
        ...change,
      })),
      next: found.length < limit ? null : writeCursor('audit', found.at(-1)?.id ?? 0),
    };
  });
}

/** What the service does by itself, without a command or request. */
const OWN_ACTIONS = ['webhook.paused', 'webhook.disabled'];

function viaOf(senderId: string | null, action: string): 'api' | 'command line' | 'service' {
  if (senderId !== null) return 'api';
  return OWN_ACTIONS.includes(action) ? 'service' : 'command line';
}
