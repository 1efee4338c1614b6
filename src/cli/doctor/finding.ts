/** The result of one check of `doctor`. */
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
    const advice = 'The next server start migrates it.';
    return { check, state: 'warning', found: `${version}; this program uses ${known}`, advice };
  }
  const advice = 'Start the newer version of account-sync, or restore the backup made before the upgrade.';
  return { check, state: 'failed', found: `${version}; this program supports up to ${known}`, advice };
}
