import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { checkJsonLimits } from '../../formats/json-limits.js';
import { parseJson } from '../../formats/parse-json.js';
import type { RequestMemory } from '../body/request-memory.js';
import { MissingAccounts } from '../runs/missing-accounts.js';
import { deleteAccount } from './accounts/delete-account.js';
import { deleteAccounts } from './accounts/delete-accounts.js';
import { editAccounts } from './accounts/edit-accounts.js';
import { getAccount } from './accounts/get-account.js';
import { getAncestors } from './accounts/get-ancestors.js';
import { getSubtree } from './accounts/get-subtree.js';
import { listAccounts } from './accounts/list-accounts.js';
import { listChildren } from './accounts/list-children.js';
import { patchAccount } from './accounts/patch-account.js';
import { checkAttribute } from './attributes/check-attribute.js';
import { deleteAttribute } from './attributes/delete-attribute.js';
import { getAttribute } from './attributes/get-attribute.js';
import { listAttributes } from './attributes/list-attributes.js';
import { putAttribute } from './attributes/put-attribute.js';
import type { ChangeStreams } from './changes/change-streams.js';
import { getChanges } from './changes/get-changes.js';
import { getHistory } from './changes/get-history.js';
import { getStats } from './changes/get-stats.js';
import { listRejections } from './changes/list-rejections.js';
import { importAccounts } from './import/import-accounts.js';
import { createInvitation } from './invitations/create-invitation.js';
import { listInvitations } from './invitations/list-invitations.js';
import { removeInvitation } from './invitations/remove-invitation.js';
import { createKey } from './keys/create-key.js';
import { listKeys } from './keys/list-keys.js';
import { patchKey } from './keys/patch-key.js';
import { revokeKey } from './keys/revoke-key.js';
import { rotateKey } from './keys/rotate-key.js';
import { limitEdits, limitReads } from './limit-reads.js';
import { lookUpLink } from './links/look-up-link.js';
import { redeemLink } from './links/redeem-link.js';
import type { V2App, V2Parts } from './operation.js';
import { rejectNul, useValidators } from './request-validation.js';
import { finishRun } from './runs/finish-run.js';
import { getRun } from './runs/get-run.js';
import { listMissing } from './runs/list-missing.js';
import { listRuns } from './runs/list-runs.js';
import { openRun } from './runs/open-run.js';
import { undoRun } from './runs/undo-run.js';
import { endOtherSessions } from './sessions/end-other-sessions.js';
import { endSession } from './sessions/end-session.js';
import { finishOidc } from './sessions/finish-oidc.js';
import { getSession } from './sessions/get-session.js';
import { getSignInMethods } from './sessions/get-sign-in-methods.js';
import { listSessions } from './sessions/list-sessions.js';
import { patchProfile } from './sessions/patch-profile.js';
import { signIn } from './sessions/sign-in.js';
import { signOut } from './sessions/sign-out.js';
import { startOidc } from './sessions/start-oidc.js';
import { switchTenant } from './sessions/switch-tenant.js';
import { addBlockedId, listBlockedIds, removeBlockedId, testBlockedId } from './settings/blocked-ids.js';
import { checkAccountIds } from './settings/check-account-ids.js';
import { getStatus } from './settings/get-status.js';
import { listAudit } from './settings/list-audit.js';
import { getSettings, patchSettings } from './settings/settings.js';
import { deleteSource } from './sources/delete-source.js';
import { getSource } from './sources/get-source.js';
import { listSources } from './sources/list-sources.js';
import { putSource } from './sources/put-source.js';
import { createPasswordLink } from './users/create-password-link.js';
import { endUserSessions } from './users/end-user-sessions.js';
import { listUsers } from './users/list-users.js';
import { patchUser } from './users/patch-user.js';
import { removeUser } from './users/remove-user.js';
import { createWebhook } from './webhooks/create-webhook.js';
import { deleteWebhook } from './webhooks/delete-webhook.js';
import { getWebhook } from './webhooks/get-webhook.js';
import { listDeliveries } from './webhooks/list-deliveries.js';
import { listWebhooks } from './webhooks/list-webhooks.js';
import { patchWebhook } from './webhooks/patch-webhook.js';
import { replayWebhook } from './webhooks/replay-webhook.js';
import { rotateWebhookSecret } from './webhooks/rotate-webhook-secret.js';
import { testWebhook } from './webhooks/test-webhook.js';

/** For bodies that the event loop parses, which takes 8 ms at this size. Imports have no limit. */
const MAX_BODY_BYTES = 1024 * 1024;

/** Registers all routes below /api/v2. */
export function v2Routes(
  app: FastifyInstance,
  parts: V2Parts,
  streams: ChangeStreams,
  requestMemory: RequestMemory,
): void {
  useValidators(app);
  rejectNul(app);
  limitReads(app);
  limitEdits(app);
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', (request, payload, done) => {
    const parse = (error: Error | null, bytes?: Buffer) => {
      if (bytes === undefined) return done(error);
      try {
        checkJsonLimits(bytes, request.routeOptions.bodyLimit);
        done(null, parseJson(bytes));
      } catch (problem) {
        done(problem as Error);
      }
    };
    requestMemory.read(request, payload, parse);
  });
  app.addHook('onRoute', (route) => {
    route.bodyLimit ??= Math.min(parts.config.maxBodyBytes, MAX_BODY_BYTES);
  });
  const typed = app.withTypeProvider<TypeBoxTypeProvider>();
  const missing = new MissingAccounts(parts);
  const withMissing = (add: (app: V2App, parts: V2Parts, missing: MissingAccounts) => void) => (app: V2App) =>
    add(app, parts, missing);
  const operations = [
    [listAccounts, getAccount, patchAccount, deleteAccount, editAccounts, deleteAccounts],
    [listChildren, getAncestors, getSubtree],
    [getHistory, listRejections, getStats, getStatus],
    [listAttributes, getAttribute, putAttribute, deleteAttribute, checkAttribute],
    [getSettings, patchSettings, checkAccountIds, listAudit],
    [listBlockedIds, addBlockedId, removeBlockedId, testBlockedId],
    [listKeys, createKey, patchKey, revokeKey, rotateKey],
    [listSources, getSource, putSource, deleteSource],
    [openRun, listRuns, getRun, withMissing(listMissing), withMissing(finishRun), undoRun],
    [listWebhooks, createWebhook, getWebhook, patchWebhook, deleteWebhook],
    [testWebhook, replayWebhook, rotateWebhookSecret, listDeliveries],
    [signIn, getSession, signOut, switchTenant, getSignInMethods],
    [startOidc, finishOidc],
    [listSessions, endSession, endOtherSessions, patchProfile],
    [listUsers, patchUser, removeUser, endUserSessions, createPasswordLink],
    [listInvitations, createInvitation, removeInvitation, lookUpLink, redeemLink],
  ].flat();
  for (const add of operations) add(typed, parts);
  getChanges(typed, parts, streams);
  app.register(async (scope) => importAccounts(scope.withTypeProvider<TypeBoxTypeProvider>(), parts));
}
