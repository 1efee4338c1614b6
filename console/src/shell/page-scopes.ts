import type { Scope } from '../api/session';

/** The scope that each page needs, by the first segment of its path. */
const SCOPES = {
  '': 'read',
  accounts: 'read',
  sources: 'read',
  runs: 'read',
  rejections: 'read',
  attributes: 'read',
  webhooks: 'admin',
  settings: 'admin',
  try: 'sync',
  profile: 'read',
} as const satisfies Readonly<Record<string, Scope>>;

/** False for a path without a page. */
export function mayOpen(path: string, scopes: readonly Scope[]): boolean {
  const segment = path.split('/')[1] ?? '';
  return Object.hasOwn(SCOPES, segment) && scopes.includes(SCOPES[segment as keyof typeof SCOPES]);
}

/**
 * Where a user gets who switches to another tenant on this page: it stays, and the page of one account, run or webhook
 * becomes its list. A page that the role in the other tenant does not allow becomes the overview.
 */
export function pathInOtherTenant(path: string, scopes: readonly Scope[]): string {
  if (!mayOpen(path, scopes)) return '/';
  // The sections of the settings are the same in every tenant.
  return path.startsWith('/settings') ? path : `/${path.split('/')[1]}`;
}
