import type { Config } from '../../../config.js';

/** The limit of request headers, which usually carry the key: the sender of the body is not authenticated yet. */
const MAX_BYTES = 16 * 1024;

/** For bodies with credentials, which are read before their sender is known. */
export function credentialsLimit({ maxBodyBytes }: Config): number {
  return Math.min(maxBodyBytes, MAX_BYTES);
}
