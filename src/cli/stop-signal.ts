const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** Resolves with the first signal that asks this process to stop; the same again ends it at once. */
export function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of SIGNALS) process.once(signal, resolve);
  });
}

/**
 * The same for a server, where more signals change nothing: a terminal or a supervisor sends one to all processes, and
 * those that started others pass theirs on.
 */
export function firstStopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of SIGNALS) process.on(signal, resolve);
  });
}
