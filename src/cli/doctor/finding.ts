/** One thing that `doctor` looked at. */
export interface Finding {
  readonly check: string;
  readonly state: 'ok' | 'warning' | 'failed';
  readonly found: string;
  readonly advice?: string;
}

export function examineSchema(version: number, known: number): Finding {
  const check = 'schema version';
  if (version === known) return { check, state: 'ok', found: `${version}, the newest` };
  if (version < known) {
    const advice = 'The next start migrates it.';
    return { check, state: 'warning', found: `${version}; this program has ${known}`, advice };
  }
  const advice = 'Start the newer version of account-sync, or restore the backup made before the upgrade.';
  return { check, state: 'failed', found: `${version}; this program knows ${known}`, advice };
}
