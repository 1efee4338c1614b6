import type { Scope } from '../../domain/api-key.js';

/**
 * Required access of an operation: a scope; `edit` for changes whose responses show accounts, so that a key may have to
 * read, too; `any` key or user; or `none`, which needs no credentials.
 */
export type Access = Scope | 'edit' | 'any' | 'none';

/** All of them are needed. */
export function requiredScopes(access: Access): readonly Scope[] {
  if (access === 'any' || access === 'none') return [];
  return access === 'edit' ? ['sync', 'read'] : [access];
}
