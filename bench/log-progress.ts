const startedAt = performance.now();

/** Progress goes to standard error: standard output belongs to the results. */
export function logProgress(message: string): void {
  const seconds = Math.floor((performance.now() - startedAt) / 1000);
  const elapsed = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  process.stderr.write(`${elapsed}  ${message}\n`);
}
