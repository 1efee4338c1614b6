import { randomBytes } from 'node:crypto';
import { type ApiKey, adoptKey, generateKey, hashKey } from '../domain/api-key.js';
import type { Directory, NewKey } from '../store/directory.js';

export type KeyOptions = Pick<NewKey, 'tenantId' | 'scopes' | 'label' | 'expiresAt'>;

/** Stores a new key, or one that the operator brings. The key itself is in the answer, and nowhere else. */
export async function issueKey(directory: Directory, options: KeyOptions, own?: string): Promise<ApiKey> {
  const issued = own === undefined ? generateKey(randomBytes) : adoptKey(own, randomBytes);
  await directory.addKey({ ...options, id: issued.id, hash: hashKey(issued.key), createdAt: Date.now() });
  return issued;
}
