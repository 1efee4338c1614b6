import { writeDuration } from '../../domain/duration.js';
import { isLate, nextExpected } from '../../domain/source.js';
import type { Store } from '../../store/store.js';
import type { TenantSource } from '../../store/tenants/sources.js';
import { shortTime } from '../terminal/command-line.js';
import type { Finding } from './finding.js';

/** The sources that should have finished a run by now. */
export async function examineSources({ directory }: Store): Promise<Finding[]> {
  const expected = await directory.sources.expected();
  const late = expected.filter((source) => isLate(source, Date.now()));
  if (late.length === 0) {
    const found = expected.length === 0 ? 'none is expected regularly' : `on time: ${expected.length}`;
    return [{ check: 'sources', state: 'ok', found }];
  }
  const findings: Finding[] = [];
  for (const source of late) {
    const tenant = await directory.findTenant({ id: source.tenantId });
    findings.push(describeLate(source, tenant?.name ?? String(source.tenantId)));
  }
  return findings;
}

function describeLate(source: TenantSource, tenant: string): Finding {
  const { name, expectEveryMs, lastFinishedAt } = source;
  const since = shortTime(nextExpected(source)?.lateAt ?? null);
  const last =
    lastFinishedAt === null ? 'it has finished no run yet' : `its last run: ${shortTime(lastFinishedAt)}`;
  return {
    check: 'sources',
    state: 'warning',
    found: `${name} of tenant ${tenant} is late since ${since}; ${last}`,
    advice: `It is expected every ${writeDuration(expectEveryMs ?? 0)}. Check the job that pushes its accounts, and its rejections.`,
  };
}
