/** The wait that a response asks for, in seconds or as a date in the header; `undefined` without the header. */
export function retryAfterMs(headers: Pick<Headers, 'get'>): number | undefined {
  const value = headers.get('retry-after')?.trim();
  if (!value) return undefined;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const retryAt = Date.parse(value);
  if (Number.isNaN(retryAt)) return undefined;
  // Prefer the clock of the server, from the Date header: the clock of this machine may be wrong.
  const now = Date.parse(headers.get('date') ?? '');
  return Math.max(0, retryAt - (Number.isNaN(now) ? Date.now() : now));
}
