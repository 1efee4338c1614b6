/** How long the answer asks to wait, in either form of the header; `undefined` where it does not ask. */
export function retryAfterMs(headers: Pick<Headers, 'get'>): number | undefined {
  const asked = headers.get('retry-after')?.trim();
  if (!asked) return undefined;
  if (/^\d+$/.test(asked)) return Number(asked) * 1000;
  const moment = Date.parse(asked);
  if (Number.isNaN(moment)) return undefined;
  // By the server's own clock where it is told: this machine's may be wrong.
  const now = Date.parse(headers.get('date') ?? '');
  return Math.max(0, moment - (Number.isNaN(now) ? Date.now() : now));
}
