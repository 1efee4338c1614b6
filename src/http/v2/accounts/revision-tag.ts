import { hash } from 'node:crypto';
import type { Account } from '../../../domain/account.js';
import { httpError, invalidRequest } from '../../errors.js';

/*
 * The ETag of an account is `"<revision>-<digest of its body>"`: `If-Match` compares the revision, and `If-None-Match`
 * all of it, because the body also depends on which attributes are declared.
 */

export function etagOf({ revision }: Account, body: string): string {
  return `"${revision}-${hash('sha256', body, 'base64url').slice(0, 22)}"`;
}

/** The revision that `If-Match` names, alone or in an ETag; undefined for `*`, any revision. */
export function readIfMatch(header: string | undefined): number | undefined {
  if (header === undefined || header.trim() === '') throw httpError('revision_required');
  if (header.trim() === '*') return undefined;
  // Proxies that compress responses mark their ETags as weak.
  const [, digits] = /^\s*(?:W\/)?"(\d{1,15})(?:-[\w-]{1,64})?"\s*$/.exec(header) ?? [];
  if (digits !== undefined) return Number(digits);
  const detail = 'must be the ETag of the account, such as "7-kVw2mC8cZ0Jt1nQyT5b6Xg" or "7", or *';
  throw invalidRequest([{ pointer: '/headers/if-match', detail }]);
}
