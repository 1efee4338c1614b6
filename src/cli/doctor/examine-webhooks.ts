import type { Store } from '../../store/store.js';
import type { Webhook } from '../../store/webhooks/webhook-row.js';
import { shortTime } from '../terminal/command-line.js';
import type { Finding } from './finding.js';

/** The webhooks that get no events at the moment. */
export async function examineWebhooks({ directory, webhooks }: Store): Promise<Finding[]> {
  const check = 'webhooks';
  const { delivering, failing, paused, stopped } = await webhooks.counts();
  if (delivering + failing + paused + stopped === 0) return [{ check, state: 'ok', found: 'none' }];
  const findings: Finding[] = [];
  for (const name of await directory.tenantNames()) {
    const tenant = await directory.findTenant({ name });
    const all = tenant === undefined ? [] : await webhooks.list(tenant.id);
    findings.push(...all.flatMap((webhook) => describe(webhook, name)));
  }
  return findings.length === 0 ? [{ check, state: 'ok', found: `delivering: ${delivering}` }] : findings;
}

function describe(webhook: Webhook, tenant: string): Finding[] {
  const { id, state, reason, failures, failingSince, lastError } = webhook;
  const check = 'webhooks';
  const name = `${id} of tenant ${tenant}`;
  const resume = `account-sync webhook resume ${id}`;
  if (state !== 'active' && reason === null) {
    const advice = `It misses changes that are no longer kept. Continue with: ${resume}`;
    return [{ check, state: 'ok', found: `${name} is paused by an administrator`, advice }];
  }
  if (state !== 'active') {
    const advice = `Check its receiver, then continue where it was with: ${resume}`;
    return [{ check, state: 'warning', found: `${name} is ${state}. ${reason}`, advice }];
  }
  if (failures === 0) return [];
  const found = `${name} fails since ${shortTime(failingSince)}. ${lastError ?? ''}`.trimEnd();
  const advice = `It is tried again. See what failed with: account-sync webhook deliveries ${id}`;
  return [{ check, state: 'warning', found, advice }];
}
