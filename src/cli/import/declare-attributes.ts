import { type AccountSync, ForbiddenError } from '@account-sync/client';
import { CommandFailed } from '../terminal/command-line.js';
import type { StatusLine } from '../terminal/status-line.js';
import type { Conversions } from './file-scan.js';

/** Declares what `--declare` proposes; a dry run only shows it. Returns how the fields can be sent then. */
export async function declareAttributes(
  client: AccountSync,
  conversions: Conversions,
  { dryRun = false }: { readonly dryRun?: boolean },
  line: StatusLine,
): Promise<Conversions> {
  const proposals = [...conversions].flatMap(([field, { proposal }]) =>
    proposal === undefined ? [] : [{ field, ...proposal }],
  );
  const [first] = proposals;
  if (first === undefined) return conversions;
  if (dryRun) {
    const isRejecting = await rejectsUndeclared(client, first.field);
    const how = isRejecting ? ', and sends no new one, since this server rejects undeclared fields' : '';
    line.log(`A dry run declares no attribute${how}. To give one another type, add --type "field=type"\n`);
    return isRejecting ? withoutNewFields(conversions) : conversions;
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
  return conversions;
}

/** Asks by a dry run of one record. */
async function rejectsUndeclared(client: AccountSync, field: string): Promise<boolean> {
  const trial = [{ account_id: 'trial', [field]: null }];
  for await (const [result] of client.upsertChunks([trial], { dryRun: true })) {
    return result?.status === 'failed' && field in (result.errors ?? {});
  }
  return false;
}

function withoutNewFields(conversions: Conversions): Conversions {
  return new Map(
    [...conversions].map(([field, how]) => [
      field,
      how.proposal === undefined ? how : { ...how, isUnsent: true },
    ]),
  );
}
