import { randomBytes } from 'node:crypto';
import { type ApiKey, adoptKey, generateKey, hashKey } from '../../domain/api-key.js';
import type { NewKey } from './keys.js';

export type KeyOptions = Pick<NewKey, 'scopes' | 'label' | 'expiresAt'>;

/** How a new key is stored: on its own, with its tenant, or as the successor of another. */
type StoreKey<Options> = (key: Options & Pick<NewKey, 'id' | 'hash' | 'createdAt'>) => Promise<void>;

/** A new key, or one that the operator brings. The key itself is in the answer, and nowhere else. */
export async function issueKey<Options extends KeyOptions>(
  store: StoreKey<Options>,
  options: Options,
  own?: string,
): Promise<ApiKey> {
  const issued = own === undefined ? generateKey(randomBytes) : adoptKey(own, randomBytes);
  await store({ ...options, id: issued.id, hash: hashKey(issued.key), createdAt: Date.now() });
  return issued;
}
