import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import type { ArrivingBodies } from '../arriving-bodies.js';
import { parseJsonBody } from '../json-body.js';
import { addBlockedId, listBlockedIds, removeBlockedId } from './blocked-ids.js';
import type { ChangeStreams } from './change-streams.js';
import { checkAccountIds } from './check-account-ids.js';
import { checkAttribute } from './check-attribute.js';
import { createKey } from './create-key.js';
import { deleteAccount } from './delete-account.js';
import { deleteAttribute } from './delete-attribute.js';
import { gateReads } from './gate-reads.js';
import { getAccount } from './get-account.js';
import { getAncestors } from './get-ancestors.js';
import { getAttribute } from './get-attribute.js';
import { getChanges } from './get-changes.js';
import { getHistory } from './get-history.js';
import { getSession } from './get-session.js';
import { getStats } from './get-stats.js';
import { getStatus } from './get-status.js';
import { getSubtree } from './get-subtree.js';
import { importAccounts } from './import/import-accounts.js';
import { listAccounts } from './list-accounts.js';
import { listAttributes } from './list-attributes.js';
import { listAudit } from './list-audit.js';
import { listChildren } from './list-children.js';
import { listKeys } from './list-keys.js';
import { listRejections } from './list-rejections.js';
import type { V2Parts } from './operation.js';
import { putAttribute } from './put-attribute.js';
import { revokeKey } from './revoke-key.js';
import { rotateKey } from './rotate-key.js';
import { getSettings, patchSettings } from './settings.js';
import { signIn } from './sign-in.js';
import { signOut } from './sign-out.js';
import { refuseNul } from './storable-input.js';
import { testBlockedId } from './test-blocked-id.js';
import { useValidators } from './validators.js';

/** Everything below /api/v2. */
export function v2(
  app: FastifyInstance,
  parts: V2Parts,
  streams: ChangeStreams,
  bodies: ArrivingBodies,
): void {
  useValidators(app);
  refuseNul(app);
  gateReads(app);
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', (request, payload, done) => {
    bodies.read(request, payload, (error, bytes) => {
      if (bytes === undefined) return done(error);
      try {
        done(null, parseJsonBody(bytes));
      } catch (problem) {
        done(problem as Error);
      }
    });
  });
  const typed = app.withTypeProvider<TypeBoxTypeProvider>();
  const operations = [
    [listAccounts, getAccount, deleteAccount],
    [listChildren, getAncestors, getSubtree],
    [getHistory, listRejections, getStats, getStatus],
    [listAttributes, getAttribute, putAttribute, deleteAttribute, checkAttribute],
    [getSettings, patchSettings, checkAccountIds, listAudit],
    [listBlockedIds, addBlockedId, removeBlockedId, testBlockedId],
    [listKeys, createKey, revokeKey, rotateKey],
    [signIn, getSession, signOut],
  ].flat();
  for (const add of operations) add(typed, parts);
  getChanges(typed, parts, streams);
  app.register(async (scope) => importAccounts(scope.withTypeProvider<TypeBoxTypeProvider>(), parts));
}
