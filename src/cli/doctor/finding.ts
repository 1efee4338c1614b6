/** The result of one check of `doctor`. */
export interface Finding {
  readonly check: string;
  readonly state: 'ok' | 'warning' | 'failed';
  readonly found: string;
  readonly advice?: string;
}

const CHECK = 'schema version';
const NEWEST = 'the newest';

export function examineSchema(version: number, known: number): Finding {
  const check = CHECK;
  if (version === known) return { check, state: 'ok', found: `${version}, ${NEWEST}` };
  if (version < known) {
    const advice = 'The next server start migrates it.';
    return { check, state: 'warning', found: `${version}; this program uses ${known}`, advice };
  }
  const advice = 'Start the newer version of account-sync, or restore the backup made before the upgrade.';
  return { check, state: 'failed', found: `${version}; this program supports up to ${known}`, advice };
}

/** Whether the database has the newest schema, and no check of it failed. */
export function isUsable(findings: readonly Finding[]): boolean {
  const schema = findings.find(({ check }) => check === CHECK);
  return schema?.found.endsWith(NEWEST) === true && findings.every(({ state }) => state !== 'failed');
}
