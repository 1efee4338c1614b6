import { SCOPES, type Scope } from '../../dist/domain/api-key.js';
import type { Role } from '../../dist/domain/user.js';

/**
 * Who may use each operation: the least role of a user, `anyone` who has a live key or session, `session` for what only
 * makes sense in a browser, `key` for the contract, or `open`.
 */
export type Least = Role | 'anyone' | 'session' | 'key' | 'open';

/** An operation that is not listed fails the tests. */
export const LEAST: Readonly<Record<string, Least>> = {
  'upsert-account': 'key',
  'upsert-batch': 'key',
  'list-accounts': 'viewer',
  'get-account': 'viewer',
  'list-children': 'viewer',
  'get-ancestors': 'viewer',
  'get-subtree': 'viewer',
  'get-history': 'viewer',
  'get-changes': 'viewer',
  'list-rejections': 'viewer',
  'list-attributes': 'viewer',
  'get-attribute': 'viewer',
  'check-attribute': 'viewer',
  'get-stats': 'viewer',
  'get-status': 'viewer',
  'list-sources': 'viewer',
  'get-source': 'viewer',
  'list-runs': 'viewer',
  'get-run': 'viewer',
  'list-missing': 'viewer',
  'patch-account': 'editor',
  'edit-accounts': 'editor',
  'import-accounts': 'editor',
  'open-run': 'editor',
  'finish-run': 'editor',
  'undo-run': 'editor',
  'delete-account': 'admin',
  'delete-accounts': 'admin',
  'put-attribute': 'admin',
  'delete-attribute': 'admin',
  'list-blocked-ids': 'admin',
  'add-blocked-id': 'admin',
  'remove-blocked-id': 'admin',
  'test-blocked-id': 'admin',
  'get-settings': 'admin',
  'patch-settings': 'admin',
  'check-account-ids': 'admin',
  'list-keys': 'admin',
  'create-key': 'admin',
  'revoke-key': 'admin',
  'rotate-key': 'admin',
  'patch-key': 'admin',
  'put-source': 'admin',
  'delete-source': 'admin',
  'list-audit': 'admin',
  'list-webhooks': 'admin',
  'create-webhook': 'admin',
  'get-webhook': 'admin',
  'patch-webhook': 'admin',
  'delete-webhook': 'admin',
  'test-webhook': 'admin',
  'replay-webhook': 'admin',
  'rotate-webhook-secret': 'admin',
  'list-deliveries': 'admin',
  'list-users': 'admin',
  'patch-user': 'admin',
  'remove-user': 'admin',
  'create-password-link': 'admin',
  'end-user-sessions': 'admin',
  'list-invitations': 'admin',
  'create-invitation': 'admin',
  'remove-invitation': 'admin',
  'get-session': 'anyone',
  'list-sessions': 'anyone',
  'end-session': 'anyone',
  'end-other-sessions': 'anyone',
  'sign-out': 'session',
  'switch-tenant': 'session',
  'patch-profile': 'session',
  'sign-in': 'open',
  'look-up-link': 'open',
  'redeem-link': 'open',
  'get-sign-in-methods': 'open',
  'start-oidc': 'open',
  'finish-oidc': 'open',
  healthz: 'open',
  readyz: 'open',
  metrics: 'open',
  'get-openapi': 'open',
};

const SCOPES_FOR: Readonly<Record<Least, readonly Scope[]>> = {
  viewer: ['read'],
  editor: ['sync'],
  admin: ['admin'],
  key: ['sync'],
  anyone: SCOPES,
  session: SCOPES,
  open: [],
};

/** Operations of editors whose responses show accounts. */
const READING: readonly string[] = ['patch-account', 'edit-accounts'];

/** The sets of scopes of which a key needs one; `SCOPES`, one by one, if any key may. */
export function scopeSetsFor(operation: string): readonly (readonly Scope[])[] {
  if (READING.includes(operation)) return [['sync', 'read']];
  return SCOPES_FOR[LEAST[operation] ?? 'open'].map((scope) => [scope]);
}
