import { type AccountSync, type Attributes, ForbiddenError } from '@account-sync/client';
import { MAX_ATTRIBUTES } from '../../domain/tenant.js';
import { grouped } from '../../domain/text.js';
import { CommandFailed } from '../terminal/command-line.js';
import type { StatusLine } from '../terminal/status-line.js';
import type { Conversions } from './file-scan.js';

const KEY_FOR_DECLARATIONS =
  'Create a key that can, on the server: account-sync key create <tenant> --label import --scope sync read admin';

/** A new column is one that the schema lacks: without it, `--declare` would change the attributes that exist already. */
export function requireSchema(
  schema: Attributes | undefined,
  { declare = false }: { readonly declare?: boolean },
): void {
  if (schema !== undefined || !declare) return;
  throw new CommandFailed(
    'The key lacks the scope read, so --declare cannot see which attributes exist already, and nothing was declared or ' +
      `sent. ${KEY_FOR_DECLARATIONS}`,
  );
}

/**
 * Declares what `--declare` proposes; a dry run only shows it. Returns how the fields can be sent then. `existing` is
 * the number of attributes that are declared already.
 */
export async function declareAttributes(
  client: AccountSync,
  conversions: Conversions,
  { dryRun = false, existing }: { readonly dryRun?: boolean | undefined; readonly existing: number },
  line: StatusLine,
): Promise<Conversions> {
  const proposals = [...conversions].flatMap(([field, { proposal }]) =>
    proposal === undefined ? [] : [{ field, ...proposal }],
  );
  const [first] = proposals;
  if (first === undefined) return conversions;
  if (existing + proposals.length > MAX_ATTRIBUTES) throw tooManyAttributes(existing, proposals.length);
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
      `The key lacks the scope admin, so it cannot declare attributes, and nothing was sent. ${KEY_FOR_DECLARATIONS}`,
    );
  }
  line.log(`Declared ${proposals.map(({ field }) => field).join(', ')}.\n`);
  return conversions;
}

function tooManyAttributes(existing: number, added: number): CommandFailed {
  return new CommandFailed(
    `--declare would declare ${grouped(added)} attributes beside the ${grouped(existing)} that exist, and a tenant has at ` +
      `most ${grouped(MAX_ATTRIBUTES)}. Nothing was declared or sent. Leave out columns with --ignore <column>, or remove ` +
      'attributes that are no longer needed.',
  );
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
