import Type, { type Static } from 'typebox';
import {
  ACCOUNT_ID_MODES,
  type DayRange,
  HISTORY_DAYS,
  REJECTION_DAYS,
  UNDECLARED_FIELD_MODES,
} from '../../../domain/tenant.js';
import type { Store } from '../../../store/store.js';
import { isoTime, Timestamp } from '../../../wire/schemas.js';
import { principalOf } from '../../auth/authenticate.js';
import { httpError } from '../../errors.js';
import { actorOf, operation, type V2App, type V2Parts } from '../operation.js';

const AccountIds = Type.Enum([...ACCOUNT_ID_MODES], { description: 'Which account ids are valid.' });
const UndeclaredFields = Type.Enum([...UNDECLARED_FIELD_MODES], {
  description: 'How fields without a declared attribute are handled.',
});
/** Not a union: the error for a number out of range would also say that it must be null. */
const days = ({ min, max }: DayRange, description: string) =>
  Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: min, maximum: max, description });
const HistoryDays = days(
  HISTORY_DAYS,
  'Days after which changes are removed, except the last one of each account; null keeps them without limit.',
);
const RejectionDays = days(
  REJECTION_DAYS,
  'Days for which rejections are kept; null for the default of the server.',
);

const Settings = Type.Object(
  {
    tenant: Type.String(),
    account_ids: AccountIds,
    undeclared_fields: UndeclaredFields,
    hosts: Type.Array(Type.String(), {
      description: 'Host names that accept only keys of this tenant; set by the operator.',
    }),
    history_days: HistoryDays,
    rejection_days: RejectionDays,
    created_at: Timestamp,
  },
  {
    title: 'Settings',
    examples: [
      {
        tenant: 'default',
        account_ids: 'any',
        undeclared_fields: 'reject',
        hosts: ['acme.example.com'],
        history_days: 365,
        rejection_days: null,
        created_at: '2027-01-31T12:00:00.000Z',
      },
    ],
  },
);

const Changes = Type.Object(
  {
    account_ids: Type.Optional(AccountIds),
    undeclared_fields: Type.Optional(UndeclaredFields),
    history_days: Type.Optional(HistoryDays),
    rejection_days: Type.Optional(RejectionDays),
  },
  { additionalProperties: false, minProperties: 1, examples: [{ undeclared_fields: 'reject' }] },
);

export function getSettings(app: V2App, parts: V2Parts): void {
  const options = operation(parts, 'admin', {
    id: 'get-settings',
    tag: 'Settings',
    summary: 'Read the settings of the tenant',
    schema: {},
    responses: { 200: { description: 'The settings.', schema: Settings } },
  });
  app.get('/settings', options, (request) => settingsBody(parts.store, principalOf(request).tenant.id));
}

export function patchSettings(app: V2App, parts: V2Parts): void {
  const { store, clock } = parts;
  const options = operation(parts, 'admin', {
    id: 'patch-settings',
    tag: 'Settings',
    summary: 'Change settings of the tenant',
    description:
      'Takes effect in every process within a second. Stored accounts do not change. With fewer `history_days`, ' +
      'older changes are removed permanently, starting within a minute.',
    schema: { body: Changes },
    responses: { 200: { description: 'The new settings.', schema: Settings } },
  });
  app.patch('/settings', options, async (request) => {
    const { tenant } = principalOf(request);
    const { account_ids, undeclared_fields, history_days, rejection_days } = request.body;
    const changes = {
      accountIds: account_ids,
      undeclaredFields: undeclared_fields,
      historyDays: history_days,
      rejectionDays: rejection_days,
    };
    await store.directory.changeTenant(tenant.id, changes, actorOf(request, clock()));
    return settingsBody(store, tenant.id);
  });
}

async function settingsBody(store: Store, id: number): Promise<Static<typeof Settings>> {
  const tenant = await store.directory.findTenant({ id });
  // The tenant was removed after the request was authorized.
  if (tenant === undefined) throw httpError('unauthenticated');
  return {
    tenant: tenant.name,
    account_ids: tenant.accountIds,
    undeclared_fields: tenant.undeclaredFields,
    hosts: [...tenant.hosts],
    history_days: tenant.historyDays,
    rejection_days: tenant.rejectionDays,
    created_at: isoTime(tenant.createdAt),
  };
}
