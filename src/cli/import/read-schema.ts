import { type AccountSync, type Attributes, ForbiddenError } from '@account-sync/client';
import type { StatusLine } from '../terminal/status-line.js';

/** `undefined` for a key without the scope `read`, which is enough to send accounts; `advice` says how to do without. */
export async function readSchema(
  client: AccountSync,
  line: StatusLine,
  advice: string,
): Promise<Attributes | undefined> {
  try {
    return await client.attributes();
  } catch (error) {
    if (!(error instanceof ForbiddenError)) throw error;
    line.log(`The key lacks the scope read, so only built-in fields are known. ${advice}`);
    return undefined;
  }
}
