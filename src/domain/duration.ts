const UNITS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
type Unit = keyof typeof UNITS;

/** Reads a duration such as `90s`, `10m`, `24h` or `7d` in milliseconds; undefined if the text is none. */
export function readDuration(text: string): number | undefined {
  const [, number, unit = 's'] = /^(\d{1,9})\s*([smhd])?$/.exec(text.trim()) ?? [];
  return number === undefined ? undefined : Number(number) * UNITS[unit as Unit];
}

/** The shortest text that `readDuration` reads as this duration. */
export function writeDuration(ms: number): string {
  const unit = (['d', 'h', 'm'] as const).find((one) => ms > 0 && ms % UNITS[one] === 0) ?? 's';
  return `${ms / UNITS[unit]}${unit}`;
}
