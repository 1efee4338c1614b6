const startedAt = performance.now();

/** Progress goes to standard error: standard output belongs to the results. */
export function say(what: string): void {
  const seconds = Math.floor((performance.now() - startedAt) / 1000);
  const clock = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  process.stderr.write(`${clock}  ${what}\n`);
}
