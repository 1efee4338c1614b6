import Type, { type Static } from 'typebox';
import { ACCOUNT_ID_MODES, UNDECLARED_FIELD_MODES } from '../../domain/tenant.js';
import type { Store } from '../../store/store.js';
import { principalOf } from '../authenticate.js';
import { Unauthenticated } from '../refusal.js';
import { isoTime } from './account-body.js';
import { actorOf } from './actor.js';
import { operation, type V2App, type V2Parts } from './operation.js';
import { Moment } from './schemas.js';

const AccountIds = Type.Enum([...ACCOUNT_ID_MODES], { description: 'what an account_id may be' });
const UndeclaredFields = Type.Enum([...UNDECLARED_FIELD_MODES], {
  description: 'what happens to fields without a declared type',
});

const Settings = Type.Object(
  {
    tenant: Type.String(),
    account_ids: AccountIds,
    undeclared_fields: UndeclaredFields,
    hosts: Type.Array(Type.String(), {
      description: 'host names that take only keys of this tenant; the operator sets them',
    }),
    created_at: Moment,
  },
  {
    title: 'Settings',
    examples: [
      {
        tenant: 'default',
        account_ids: 'any',
        undeclared_fields: 'reject',
        hosts: ['acme.example.com'],
        created_at: '2027-01-31T12:00:00.000Z',
      },
    ],
  },
);

const Changes = Type.Object(
  { account_ids: Type.Optional(AccountIds), undeclared_fields: Type.Optional(UndeclaredFields) },
  { additionalProperties: false, minProperties: 1, examples: [{ undeclared_fields: 'reject' }] },
);

export function getSettings(app: V2App, parts: V2Parts): void {
  const options = operation(parts, 'admin', {
    id: 'get-settings',
    tag: 'Settings',
    summary: 'Show the settings of the tenant',
    schema: {},
    answers: { 200: { description: 'The settings', schema: Settings } },
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
      'Applies in every process within a second. Accounts that are stored already stay as they are.',
    schema: { body: Changes },
    answers: { 200: { description: 'The settings as they are now', schema: Settings } },
  });
  app.patch('/settings', options, async (request) => {
    const { tenant } = principalOf(request);
    const { account_ids: accountIds, undeclared_fields: undeclaredFields } = request.body;
    const changes = { accountIds, undeclaredFields };
    await store.directory.changeTenant(tenant.id, changes, actorOf(request, clock()));
    return settingsBody(store, tenant.id);
  });
}

async function settingsBody(store: Store, id: number): Promise<Static<typeof Settings>> {
  const tenant = await store.directory.findTenant({ id });
  // Removed since its key was let in.
  if (tenant === undefined) throw new Unauthenticated();
  return {
    tenant: tenant.name,
    account_ids: tenant.accountIds,
    undeclared_fields: tenant.undeclaredFields,
    hosts: [...tenant.hosts],
    created_at: isoTime(tenant.createdAt),
  };
}
