import { type AccountSync, ForbiddenError } from '@account-sync/client';
import { CommandFailed } from '../terminal/command-line.js';
import type { StatusLine } from '../terminal/status-line.js';
import type { Conversions } from './file-scan.js';

/** Declares what `--declare` proposes; a dry run only shows it. */
export async function declareAttributes(
  client: AccountSync,
  conversions: Conversions,
  { dryRun = false }: { readonly dryRun?: boolean },
  line: StatusLine,
): Promise<void> {
  const proposals = [...conversions].flatMap(([field, { proposal }]) =>
    proposal === undefined ? [] : [{ field, ...proposal }],
  );
  if (proposals.length === 0) return;
  if (dryRun) {
    line.log('A dry run declares no attribute. To give one another type, add --type "field=type"\n');
    return;
  }
  try {
    for (const { field, type, choices } of proposals) {
      await client.setAttribute(field, type === 'choice' ? { type, choices } : { type });
    }
  } catch (error) {
    if (!(error instanceof ForbiddenError)) throw error;
    throw new CommandFailed(
      'The key lacks the scope admin, so it cannot declare attributes, and nothing was sent. Create a key that can, on ' +
        'the server: account-sync key create <tenant> --label import --scope sync read admin',
    );
  }
  line.log(`Declared ${proposals.map(({ field }) => field).join(', ')}.\n`);
}
